package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// comparison is a benchmark before and after, in seconds.
type comparison struct {
	pkg, name     string
	before, after float64
	p             float64 // of the hypothesis that nothing changed
	samples       int     // of the side that has fewer
	alone         string  // "before" or "after" where it is on one side only
}

// change is the change of time in percent.
func (c comparison) change() float64 { return 100 * (c.after/c.before - 1) }

// readBenchstat reads the output of benchstat -format csv for two files. It has a table for each
// package and unit; only times count.
func readBenchstat(path string) ([]comparison, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord = -1
	var out []comparison
	pkg, times, rows := "", false, 0
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		line, _ := r.FieldPos(0)
		wrong := func(why string) error {
			return fmt.Errorf("%s:%d: %s: %s", path, line, why, strings.Join(row, ","))
		}
		switch {
		case len(row) == 1:
			if name, ok := strings.CutPrefix(row[0], "pkg: "); ok {
				pkg = name
			}
		case row[0] == "" && len(row) >= 2 && strings.HasSuffix(row[1], "/op"):
			if len(row) != 7 || row[5] != "vs base" || row[6] != "P" {
				return nil, wrong("not a comparison of two files")
			}
			times = row[1] == "sec/op"
		case row[0] == "" || row[0] == "geomean" || !times:
		default:
			rows++
			c, err := parseComparison(row)
			if err != nil {
				return nil, wrong(err.Error())
			}
			c.pkg = pkg
			out = append(out, c)
		}
	}
	if rows == 0 {
		return nil, fmt.Errorf("%s: no benchmark with a time", path)
	}
	return out, nil
}

// parseComparison reads a row: name, time, its interval, time, its interval, change, "p=... n=...".
func parseComparison(row []string) (comparison, error) {
	c := comparison{name: row[0]}
	number := func(i int) (float64, error) {
		v, err := strconv.ParseFloat(row[i], 64)
		if err == nil && !(v > 0) {
			err = errors.New("a time must be above 0")
		}
		return v, err
	}
	if len(row) < 7 {
		c.alone = "after"
		if len(row) == 3 {
			c.alone = "before"
		} else if len(row) != 5 || row[1] != "" {
			return c, fmt.Errorf("%d fields", len(row))
		}
		return c, nil
	}
	var err error
	if c.before, err = number(1); err != nil {
		return c, err
	}
	if c.after, err = number(3); err != nil {
		return c, err
	}
	p, n, found := strings.Cut(row[6], " ")
	p, isP := strings.CutPrefix(p, "p=")
	n, isN := strings.CutPrefix(n, "n=")
	n, other, differ := strings.Cut(n, "+") // n=6+5 where the sides differ
	if !found || !isP || !isN {
		return c, fmt.Errorf("no p=... n=... in %q", row[6])
	}
	if c.p, err = strconv.ParseFloat(p, 64); err != nil {
		return c, err
	}
	if c.samples, err = strconv.Atoi(n); err == nil && differ {
		var m int
		m, err = strconv.Atoi(other)
		c.samples = min(c.samples, m)
	}
	return c, err
}

// enough is the least number of samples on each side whose rank test can give a p below 0.01.
const enough = 5

// judgeBench writes a line per benchmark; the error is errJudged if one is slower than it may be.
func judgeBench(w io.Writer, all []comparison, slower, level float64) error {
	wrong, compared := 0, 0
	for _, c := range all {
		name := strings.TrimPrefix(c.pkg, "ogdl/") + " " + c.name
		if c.alone != "" {
			fmt.Fprintf(w, "-      %s: only %s\n", name, c.alone)
			continue
		}
		if c.samples < enough {
			return fmt.Errorf("%s: %d samples; fewer than %d say nothing at any level below 0.01", name, c.samples, enough)
		}
		compared++
		verdict := "ok"
		if c.change() > slower && c.p < level {
			verdict = "SLOWER"
			wrong++
		}
		fmt.Fprintf(w, "%-6s %s: %+.1f %% (p = %.3f, %d runs each)\n", verdict, name, c.change(), c.p, c.samples)
	}
	if compared == 0 {
		return errors.New("no benchmark is on both sides")
	}
	if wrong > 0 {
		fmt.Fprintf(w, "%d of %d benchmarks are more than %g %% slower at p < %g\n", wrong, compared, slower, level)
		return errJudged
	}
	fmt.Fprintf(w, "%d benchmarks: none more than %g %% slower at p < %g\n", compared, slower, level)
	return nil
}
