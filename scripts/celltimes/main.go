// Command celltimes compares the CPU time of two builds of the program on cells of a grid that nobody chose.
//
// It draws as many cells of each data set as asked for, in the order of the SHA-256 of their settings, computes each with
// both programs in turn, alone and into a store of its own, and prints the sums per data set, their ratio, and that of the
// whole, weighted by what the plan of the old program says each data set takes. Times are what the programs
// themselves record of the cell, so reading data and writing figures do not count.
//
//	go build -o new ./experiments    # and old from the other commit
//	go run ./scripts/celltimes -old ./old -new ./new -config configs/clustering.toml -method GDL -data data
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "celltimes:", err)
		}
		os.Exit(1)
	}
}

// options are what the flags say.
type options struct {
	old, new, config, method, data, weights string
	per, epochs, runs                       int
}

func run(args []string, out, progress io.Writer) error {
	var o options
	f := flag.NewFlagSet("celltimes", flag.ContinueOnError)
	f.StringVar(&o.old, "old", "", "the program of before")
	f.StringVar(&o.new, "new", "", "the program of now")
	f.StringVar(&o.config, "config", "", "a configuration that both read")
	f.StringVar(&o.method, "method", "GDL", "the method whose cells are drawn")
	f.StringVar(&o.data, "data", "data", "folder of the data sets")
	f.IntVar(&o.per, "per", 5, "cells of each data set")
	f.IntVar(&o.runs, "runs", 1, "times that each cell is computed by each program; the least counts")
	f.IntVar(&o.epochs, "epochs", 0, "epochs in place of the configuration's, where these take too long; 0: as there")
	f.StringVar(&o.weights, "weights", "", "what each data set takes, as in IMDB-B=0.1,MUTAG=0.6; default: by the old program's plan")
	if err := f.Parse(args); err != nil {
		return err
	}
	switch {
	case f.NArg() > 0:
		return fmt.Errorf("what is %q? There are flags only", f.Arg(0))
	case o.old == "" || o.new == "" || o.config == "":
		return errors.New("-old, -new and -config are needed")
	case o.per < 1 || o.runs < 1 || o.epochs < 0:
		return fmt.Errorf("-per %d -runs %d -epochs %d: cells and runs are at least 1, epochs at least 0", o.per, o.runs, o.epochs)
	}
	dir, err := os.MkdirTemp("", "celltimes")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o.config, err = shorten(o.config, o.epochs, dir); err != nil {
		return err
	}
	before, err := list(&o, o.old, dir)
	if err != nil {
		return err
	}
	now, err := list(&o, o.new, dir)
	if err != nil {
		return err
	}
	weights, err := plan(&o, dir)
	if err != nil {
		return err
	}
	cells := draw(before, now, o.per)
	if len(cells) == 0 {
		return fmt.Errorf("%s has no cells of %s that both programs know", o.config, o.method)
	}
	for i := range cells {
		c := &cells[i]
		for r := range o.runs {
			for _, side := range []struct {
				program, id string
				seconds     *float64
			}{{o.old, c.oldID, &c.before}, {o.new, c.newID, &c.now}} {
				s, err := compute(&o, side.program, side.id, dir)
				if err != nil {
					return err
				}
				if r == 0 || s < *side.seconds {
					*side.seconds = s
				}
			}
		}
		fmt.Fprintf(progress, "%d of %d: %.2f s, %.2f s: %s\n", i+1, len(cells), c.before, c.now, c.settings)
	}
	if o.epochs > 0 {
		fmt.Fprintf(out, "%d epochs in place of the configuration's\n", o.epochs)
	}
	return report(out, cells, weights)
}

// drawn is a cell as both programs know it.
type drawn struct {
	dataset, settings string
	oldID, newID      string
	before, now       float64 // seconds
}

// shorten copies a configuration with other epochs into dir; 0 leaves it as it is.
func shorten(config string, epochs int, dir string) (string, error) {
	if epochs == 0 {
		return config, nil
	}
	text, err := os.ReadFile(config)
	if err != nil {
		return "", err
	}
	short := regexp.MustCompile(`(?m)^epochs = \d+`).ReplaceAll(text, fmt.Appendf(nil, "epochs = %d", epochs))
	path := filepath.Join(dir, filepath.Base(config))
	return path, os.WriteFile(path, short, 0o600)
}

// list returns the ids of the method's cells by their settings.
func list(o *options, program, dir string) (map[string]string, error) {
	text, err := output(program, "-config", o.config, "-filter", "method="+o.method, "-out", filepath.Join(dir, "none"), "-list")
	if err != nil {
		return nil, err
	}
	ids := map[string]string{}
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 4 && f[1] == "pending" && f[2] == o.method {
			ids[strings.Join(f[2:], " ")] = f[0]
		}
	}
	return ids, nil
}

// plan returns what each data set takes.
func plan(o *options, dir string) (map[string]float64, error) {
	weights := map[string]float64{}
	if o.weights != "" {
		for item := range strings.SplitSeq(o.weights, ",") {
			name, value, _ := strings.Cut(item, "=")
			w, err := strconv.ParseFloat(value, 64)
			if err != nil || !(w >= 0) {
				return nil, fmt.Errorf("-weights has %q, expected a data set, = and a number >= 0", item)
			}
			weights[name] = w
		}
		return weights, nil
	}
	text, err := output(o.old, "-config", o.config, "-filter", "method="+o.method, "-out", filepath.Join(dir, "none"), "-plan", "-json")
	if err != nil {
		return nil, err
	}
	var p struct {
		Kinds []struct {
			Dataset string  `json:"dataset"`
			Seconds float64 `json:"cpu_seconds"`
		} `json:"kinds"`
	}
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return nil, fmt.Errorf("the plan of %s: %w", o.old, err)
	}
	for _, k := range p.Kinds {
		weights[k.Dataset] += k.Seconds / 3600
	}
	return weights, nil
}

// draw takes the first cells of every data set in the order of their settings' digests.
func draw(before, now map[string]string, per int) []drawn {
	var all []drawn
	for settings, id := range before {
		if other, ok := now[settings]; ok {
			all = append(all, drawn{dataset: strings.Fields(settings)[1], settings: settings, oldID: id, newID: other})
		}
	}
	slices.SortFunc(all, func(a, b drawn) int {
		if c := strings.Compare(a.dataset, b.dataset); c != 0 {
			return c
		}
		x, y := sha256.Sum256([]byte(a.settings)), sha256.Sum256([]byte(b.settings))
		return bytes.Compare(x[:], y[:])
	})
	count := map[string]int{}
	return slices.DeleteFunc(all, func(c drawn) bool {
		count[c.dataset]++
		return count[c.dataset] > per
	})
}

// compute returns the CPU time that the program records of one cell, computed into a new store.
func compute(o *options, program, id, dir string) (float64, error) {
	store, err := os.MkdirTemp(dir, "store")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(store)
	cmd := exec.Command(program, "-config", o.config, "-cell", id, "-data", o.data, "-out", store, "-workers", "1")
	if text, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, text)
	}
	found, err := filepath.Glob(filepath.Join(store, "store", "*", id+"*.timing.json"))
	if err != nil || len(found) != 1 {
		return 0, fmt.Errorf("%s: %d timings of cell %s", program, len(found), id)
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		return 0, err
	}
	var timing struct {
		Record struct {
			CPU float64 `json:"cpu_seconds"`
		} `json:"record"`
	}
	if err := json.Unmarshal(text, &timing); err != nil || !(timing.Record.CPU > 0) {
		return 0, fmt.Errorf("%s: no CPU time in %s (%v)", program, text, err)
	}
	return timing.Record.CPU, nil
}

func output(program string, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	var diagnosis bytes.Buffer
	cmd.Stderr = &diagnosis
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, diagnosis.Bytes())
	}
	return string(text), nil
}

// report prints the sums and ratios. The ratio of the whole is that of what the data sets take before and now, where each takes
// its weight before.
func report(out io.Writer, cells []drawn, weights map[string]float64) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "data set\tcells\tbefore, s\tnow, s\tratio\tweight\t")
	before, now := 0.0, 0.0
	for len(cells) > 0 {
		name, n, b, a := cells[0].dataset, 0, 0.0, 0.0
		for len(cells) > 0 && cells[0].dataset == name {
			n++
			b += cells[0].before
			a += cells[0].now
			cells = cells[1:]
		}
		weight, ok := weights[name]
		if !ok {
			return fmt.Errorf("no weight of %s", name)
		}
		fmt.Fprintf(w, "%s\t%d\t%.2f\t%.2f\t%.2f\t%.3g\t\n", name, n, b, a, b/a, weight)
		before += weight
		now += weight * a / b
	}
	fmt.Fprintf(w, "weighted\t\t\t\t%.2f\t%.3g\t\n", before/now, before)
	return w.Flush()
}
