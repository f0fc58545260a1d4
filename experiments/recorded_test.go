package main

import (
	"compress/gzip"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// recording holds what the cells of a configuration, or some of them, took on a server of 2024: CPU seconds by
// the cell's name, and those of the blocks of matrices by the matrix's label.
type recording struct {
	cells  map[string]float64
	blocks map[string][]float64
}

// recorded reads testdata/timings/NAME.csv.gz.
func recorded(t *testing.T, name string) (out recording) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "timings", name+".csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	out = recording{map[string]float64{}, map[string][]float64{}}
	for r := csv.NewReader(z); ; {
		line, err := r.Read()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		seconds, err := strconv.ParseFloat(line[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		if line[0] == "cell" {
			out.cells[line[1]] = seconds
		} else {
			out.blocks[line[1]] = append(out.blocks[line[1]], seconds)
		}
	}
}

// of returns the cells of the configuration that were recorded.
func (r recording) of(t *testing.T, name string) (cells []*cell) {
	t.Helper()
	for _, c := range configOf(t, name+".toml").cells() {
		if _, ok := r.cells[c.String()]; ok {
			cells = append(cells, c)
		}
	}
	if len(cells) != len(r.cells) {
		t.Fatalf("%d cells of %s were recorded, it has %d of them", len(r.cells), name, len(cells))
	}
	return cells
}
