package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/datasets/loader"
	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
)

// defaultsOf are the lines of a method in the golden file of defaults.
func defaultsOf(m *spec.Method) []string {
	lines := []string{fmt.Sprintf("%s version %d", m.Name, m.Version)}
	for _, q := range m.Parameters() {
		if q.Def != nil {
			lines = append(lines, fmt.Sprintf("\t%s = %s", q.Name, q.Show(q.Def)))
		}
	}
	return lines
}

// forgotten compares defaults with those that were written down: problems that writing them down anew must
// not hide, and whether there is anything new at all.
func forgotten(old, now string) (problems []string, changed bool) {
	was := map[string][]string{}
	version := map[string]string{}
	name := ""
	for _, line := range strings.Split(old, "\n") {
		if m, v, ok := strings.Cut(line, " version "); ok && !strings.HasPrefix(line, "\t") {
			name, version[m] = m, v
		}
		was[name] = append(was[name], line)
	}
	for _, line := range strings.Split(now, "\n") {
		if m, v, ok := strings.Cut(line, " version "); ok && !strings.HasPrefix(line, "\t") {
			if name = m; version[m] != "" && version[m] != v {
				version[m] = "raised"
			}
			continue
		}
		if version[name] == "" || version[name] == "raised" {
			continue
		}
		key, _, _ := strings.Cut(line, " = ")
		for _, before := range was[name] {
			if k, _, ok := strings.Cut(before, " = "); ok && k == key && before != line {
				problems = append(problems, fmt.Sprintf("the default %q of %s is now %q, and its version is still %s: "+
					"records of the old default would be taken for the new one. Raise the version in the method's row, then run this test with -update",
					strings.TrimSpace(before), name, strings.TrimSpace(line), version[name]))
			}
		}
	}
	return problems, old != now
}

// TestDefaultsAndVersions: whoever changes a default raises the method's version.
func TestDefaultsAndVersions(t *testing.T) {
	var lines []string
	for _, m := range protocol.Methods().Described() {
		lines = append(lines, defaultsOf(&m)...)
	}
	now := strings.Join(lines, "\n") + "\n"
	path := filepath.Join("testdata", "defaults.golden")
	old, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	problems, changed := forgotten(string(old), now)
	for _, p := range problems {
		t.Error(p)
	}
	switch {
	case len(problems) > 0 || !changed:
	case *update:
		must(t, os.WriteFile(path, []byte(now), 0o644))
	default:
		t.Errorf("%s is not what the methods say: a version was raised, or a parameter came or went. If the default of a new parameter leaves "+
			"numbers as they were, and a version was raised where it does not, run this test with -update. Now:\n%s", path, now)
	}
}

// TestForgottenVersion: a changed default is found, with or without -update, unless the version is raised.
func TestForgottenVersion(t *testing.T) {
	const old = "A version 1\n\tx = 1\n\ty = 2\nB version 1\n\tx = 1\n"
	for now, want := range map[string]int{
		old: 0,
		"A version 1\n\tx = 5\n\ty = 2\nB version 1\n\tx = 1\n":          1,
		"A version 2\n\tx = 5\n\ty = 2\nB version 1\n\tx = 1\n":          0,
		"A version 1\n\tx = 1\n\ty = 2\n\tz = 0\nB version 1\n\tx = 1\n": 0,
		"A version 2\n\tx = 5\n\ty = 2\nB version 1\n\tx = 3\n":          1,
		"A version 1\n\tx = 1\n\ty = 2\nC version 1\n\tx = 3\n":          0,
	} {
		problems, changed := forgotten(old, now)
		if len(problems) != want || changed != (now != old) {
			t.Errorf("%q: %q, changed %v", now, problems, changed)
		}
	}
}

// TestChangedDefault: a record that says another value than the grid asks for is no result of the
// cell, though its id is the same; neither a run nor a report takes it.
func TestChangedDefault(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Tiny)
	s.run(exitOK)
	s.run(exitOK)
	s.wantErr("4 done already, 0 to compute")
	ids := s.ids()
	for i := range s.methods {
		if m := &s.methods[i]; m.Name == "GDL" {
			m.Params = append([]spec.Param{}, m.Params...)
			for j := range m.Params {
				switch m.Params[j].Name {
				case "step_structure":
					m.Params[j].Def = 5.0
				case "unmix_rounds":
					m.Params[j].Def = int64(21)
				}
			}
		}
	}
	s.run(exitOK, "-list")
	s.wantOut("0 done, 4 pending")
	s.wantErr("step_structure = 0.1, and 5 is asked for", "version has not")
	if n := strings.Count(s.stderr, "is asked for"); n != 1 {
		t.Errorf("reported %d times:\n%s", n, s.stderr)
	}
	s.run(exitFatal, "-report") // nothing of it is there
	s.run(exitOK, "-filter", "lambda=0")
	s.wantErr("0 done already, 2 to compute")
	s.run(exitOK)
	s.wantErr("2 done already, 2 to compute")
	if got := s.ids(); strings.Join(got, " ") != strings.Join(ids, " ") {
		t.Errorf("other ids: %v, before %v", got, ids)
	}
	for _, r := range s.records() {
		if x, _ := r.Number("step_structure"); r.Method == "GDL" && x != 5 {
			t.Errorf("%s: step_structure = %v", r.ID, x)
		}
	}
}

// TestRecordAndCellAgree: what a record may differ in from what a cell asks for.
func TestRecordAndCellAgree(t *testing.T) {
	c := exptest.Parse(t, "table = \"clustering\"\nrepetitions = 2\nseed = 7\n"+"[[grid]]\nmethod = \"GDL\"\ndataset = \"MUTAG\"\natoms = 3\nfeatures = \"labels\"\nalpha = 0.5\n").Cells()[0]
	for name, x := range map[string]struct {
		key   string
		value any
		want  bool
	}{
		"as asked":          {"atoms", 3.0, true},
		"not from a store":  {"atoms", int64(3), true},
		"another number":    {"batch", 17.0, false},
		"a resolved word":   {"order", 17.0, true},
		"the word":          {"order", "median", true},
		"another word":      {"order", "mean", false},
		"a text":            {"init", "random", false},
		"a text, a number":  {"init", 3.0, false},
		"a flag":            {"non_negative", false, false},
		"younger parameter": {"unknown", 3.0, true},
	} {
		r := &record.Record{Method: c.Method.Name, MethodVersion: c.Method.Version, LoaderVersion: loader.Version, Dataset: c.Dataset,
			BaseSeed: c.Seed, Repetition: c.Repetition, Params: map[string]any{x.key: x.value}}
		if got := run.Contradiction(c, r); (got == "") != x.want {
			t.Errorf("%s: %s = %v: %q", name, x.key, x.value, got)
		}
	}
}
