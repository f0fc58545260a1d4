package reports

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
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
// depends on the pages alone.
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
		about, err := description(fsys, filepath.Join(dir, e.Name(), IndexPage))
		if err != nil {
			return err
		}
		if about["description"] == "" {
			continue
		}
		timed, err := description(fsys, filepath.Join(dir, e.Name(), TimingsFolder, IndexPage))
		if err != nil {
			return err
		}
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
	if err := disk.PutUntil(ctx, fsys, false, disk.Data{Path: filepath.Join(dir, IndexPage), Bytes: b.Bytes()}); err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	return nil
}

// description reads what a page says of itself, by name; nothing where there is no page.
func description(fsys disk.FS, path string) (map[string]string, error) {
	text, err := contentOf(fsys, path, head)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reports: %w", err)
	}
	about := map[string]string{}
	for _, found := range described.FindAllSubmatch(text, -1) {
		about[string(found[1])] = html.UnescapeString(string(found[2]))
	}
	return about, nil
}
