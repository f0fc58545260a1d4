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

// head is the number of bytes at the start of a page in which its description is.
const head = 4096

// described finds the description of a page, its date and its picture.
var described = regexp.MustCompile(`<meta name="(description|date|picture)" content="([^"]*)">`)

// List writes index.html in a folder of results: a link to the page of each run there, with its description, outcome, date and picture. It
// depends on the pages alone. Another file of this name stays, and List says so in notes.
func List(ctx context.Context, dir string, notes io.Writer) error {
	return listOn(ctx, disk.OS{}, dir, notes)
}

func listOn(ctx context.Context, fsys disk.FS, dir string, notes io.Writer) error {
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	var runs []page.Listed
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		about := description(fsys, filepath.Join(dir, e.Name(), IndexPage))
		if about["description"] == "" {
			continue
		}
		timed := description(fsys, filepath.Join(dir, e.Name(), TimingsFolder, IndexPage))
		run := page.Listed{Name: e.Name(), About: about["description"], Date: timed["date"]}
		if about["picture"] != "" {
			run.Picture = e.Name() + "/" + about["picture"]
		}
		runs = append(runs, run)
	}
	_, _ = disk.Sweep(fsys, dir, disk.Abandoned) // what cannot be removed is in nobody's way
	var b bytes.Buffer
	if err := page.List(&b, runs); err != nil {
		return err
	}
	path := filepath.Join(dir, IndexPage)
	ours, _, _ := bytes.Cut(b.Bytes(), []byte("<style>")) // begins each list
	if old, err := beginning(fsys, path); !errors.Is(err, fs.ErrNotExist) && !bytes.HasPrefix(old, ours) {
		fmt.Fprintf(notes, "%s is no list of runs and stays as it is: no list is written\n", path)
		return nil
	}
	if err := disk.PutUntil(ctx, fsys, false, disk.Data{Path: path, Bytes: b.Bytes()}); err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	return nil
}

// beginning reads the beginning of a regular file; of others it has none.
func beginning(fsys disk.FS, path string) ([]byte, error) {
	info, err := fsys.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	return contentOf(fsys, path, head)
}

// description reads what a page says of itself, by name; nothing where no page can be read.
func description(fsys disk.FS, path string) map[string]string {
	text, _ := beginning(fsys, path)
	about := map[string]string{}
	for _, found := range described.FindAllSubmatch(text, -1) {
		about[string(found[1])] = html.UnescapeString(string(found[2]))
	}
	return about
}
