package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/record"
)

// TestReportOfOneCell: the report of one cell of the largest configuration holds no row for each of the
// 80,000 others.
func TestReportOfOneCell(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	dir := t.TempDir()
	store, err := record.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	c := exptest.Config(t, "clustering")
	x := c.Cells()[0]
	r := &record.Record{ID: x.ID, Status: record.OK, Method: x.Method.Name, MethodVersion: x.Method.Version, Dataset: x.Dataset, Params: x.Params,
		LoaderVersion: 1, BaseSeed: x.Seed, Repetition: x.Repetition, Digest: "d", Scores: map[string]float64{"ri": 0.5, "ari": 0.1, "objective": 1}, Assignment: record.Labels{0, 1}}
	if err := store.Put(r, &record.Timing{ID: x.ID, Seconds: 1}, nil); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := execute(context.Background(), []string{"report", "-config", "clustering.toml", "-out", dir, "-data", filepath.Join(dir, "data")}, &out, &errs); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, errs.String())
	}
	var size int64
	err = filepath.WalkDir(filepath.Join(dir, "clustering"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := os.Stat(path)
		size += info.Size()
		return err
	})
	if err != nil || size == 0 || size > 2e6 {
		t.Errorf("%d bytes of reports, at most 2 MB; %v", size, err)
	}
}
