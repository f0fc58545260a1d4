package reports

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"ogdl/reports/plots"
)

// textWidth is the line width of the text files, which unlike a terminal's is
// fixed: the same records give the same bytes.
const textWidth = 120

// Write puts every table into the folder dir (made if it is not there) as
// NAME.txt, NAME.md, NAME.csv and NAME.tex. Each file is written beside its
// place, synced and renamed into it, so a reader never meets half a table. The
// same tables give the same bytes. Names that could leave the folder, or come
// twice, are errors, found before anything is written.
func Write(dir string, tables []Table) error {
	seen := map[string]bool{}
	for _, t := range tables {
		if !plots.FileName(t.Name) {
			return fmt.Errorf("reports: table name %q: want lower-case letters, digits, _ and -", t.Name)
		}
		if seen[t.Name] {
			return fmt.Errorf("reports: two tables are named %q", t.Name)
		}
		seen[t.Name] = true
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	formats := []struct {
		ending string
		render func(io.Writer, Table) error
	}{
		{"txt", func(w io.Writer, t Table) error { return Terminal(w, t, textWidth) }},
		{"md", Markdown},
		{"csv", CSV},
		{"tex", LaTeX},
	}
	for _, t := range tables {
		for _, f := range formats {
			var b bytes.Buffer
			if err := f.render(&b, t); err != nil {
				return fmt.Errorf("reports: table %s as %s: %w", t.Name, f.ending, err)
			}
			if err := replace(filepath.Join(dir, t.Name+"."+f.ending), b.Bytes()); err != nil {
				return fmt.Errorf("reports: %w", err)
			}
		}
	}
	return nil
}

// replace writes data to a temporary file in path's folder and renames it.
func replace(path string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(data); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// exact is the shortest decimal that reads back as v.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
