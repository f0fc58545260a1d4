package reports

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"

	"ogdl/internal/disk"
	"ogdl/reports/page"
)

// head is how much of a page is read for what it says of itself.
const head = 4096

// described finds that.
var described = regexp.MustCompile(`<meta name="description" content="([^"]*)">`)

// List writes index.html in a folder of results: a link to the page of each run there, with what it says of itself. It depends on the pages alone.
func List(ctx context.Context, dir string) error { return listOn(ctx, disk.OS{}, dir) }

func listOn(ctx context.Context, fsys disk.FS, dir string) error {
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	var runs []page.Listed
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		f, err := fsys.Open(filepath.Join(dir, e.Name(), IndexPage))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("reports: %w", err)
		}
		text, err := io.ReadAll(io.LimitReader(f, head))
		f.Close()
		if err != nil {
			return fmt.Errorf("reports: %w", err)
		}
		if found := described.FindSubmatch(text); found != nil {
			runs = append(runs, page.Listed{Name: e.Name(), About: html.UnescapeString(string(found[1]))})
		}
	}
	_, _ = disk.Sweep(fsys, dir, disk.Abandoned) // what cannot be removed is in nobody's way
	var b bytes.Buffer
	if err := page.List(&b, runs); err != nil {
		return err
	}
	if err := disk.PutUntil(ctx, fsys, false, disk.Data{Path: filepath.Join(dir, IndexPage), Bytes: b.Bytes()}); err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	return nil
}
