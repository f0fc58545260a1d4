package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fake is a program that lists two data sets, plans them, and computes cells in no time. Its ids begin with a letter of its own.
const fake = `#!/bin/sh
case "$*" in
*-list*)
	for i in 1 2 3 4; do
		echo "$ID$i  pending  GDL MUTAG alpha=$i epochs=40 seed=1 repetition=0"
		echo "${ID}9$i  pending  GDL BZR alpha=$i epochs=40 seed=1 repetition=0"
	done
	echo "${ID}99  pending  GDL BZR $ID"
	echo "${ID}8  pending  GWF-r BZR alpha=1 epochs=40 seed=1 repetition=0" ;;
*-plan*) echo '{"kinds": [{"dataset": "MUTAG", "cpu_seconds": 3600}, {"dataset": "BZR", "cpu_seconds": 7200}]}' ;;
*-cell*)
	echo "$@" >> "$LOG"
	mkdir -p "$8/store/x"
	echo '{"record": {"cpu_seconds": 0.5}}' > "$8/store/x/$4.timing.json" ;;
*) exit 2 ;;
esac
`

func TestDrawsTheSameCellsOfBoth(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	var programs []string
	for _, id := range []string{"a", "b"} {
		path := filepath.Join(dir, id)
		text := strings.NewReplacer("$ID", id, "${ID}", id, "$LOG", log).Replace(fake)
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		programs = append(programs, path)
	}
	var out bytes.Buffer
	err := run([]string{"-old", programs[0], "-new", programs[1], "-config", "x.toml", "-per", "2"}, &out, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"BZR      2", "MUTAG      2", "weighted", "3"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	calls := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(calls) != 8 {
		t.Fatalf("%d cells computed, want 2 data sets x 2 cells x 2 programs:\n%s", len(calls), text)
	}
	for k := 0; k < len(calls); k += 2 {
		old, now := strings.Fields(calls[k])[3], strings.Fields(calls[k+1])[3]
		if old[0] != 'a' || now[0] != 'b' || old[1:] != now[1:] {
			t.Errorf("%s beside %s, want one cell by both programs", old, now)
		}
	}
}

func TestWeighs(t *testing.T) {
	cells := []drawn{
		{dataset: "BZR", before: 2, now: 1}, {dataset: "BZR", before: 4, now: 1},
		{dataset: "MUTAG", before: 1, now: 1},
	}
	var out bytes.Buffer
	if err := report(&out, cells, map[string]float64{"BZR": 9, "MUTAG": 1}); err != nil {
		t.Fatal(err)
	}
	// 9 hours become 3, one stays: 10 / 4.
	for _, want := range []string{"3.00", "1.00", "2.50"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, &out)
		}
	}
	if err := report(io.Discard, cells, map[string]float64{"BZR": 9}); err == nil {
		t.Error("a data set without weight is accepted")
	}
}

func TestShortens(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.toml")
	if err := os.WriteFile(path, []byte("# epochs = 1\nepochs = 40\nsteps = 2\nepochs = 20 # few\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	short, err := shorten(path, 3, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(short)
	if want := "# epochs = 1\nepochs = 3\nsteps = 2\nepochs = 3 # few\n"; err != nil || string(text) != want {
		t.Errorf("%q, want %q (%v)", text, want, err)
	}
}

func TestRefuses(t *testing.T) {
	for _, args := range [][]string{{}, {"-old", "a", "-new", "b"}, {"-old", "a", "-new", "b", "-config", "c", "-per", "0"}, {"-old", "a", "-new", "b", "-config", "c", "d"}} {
		if err := run(args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q accepted", args)
		}
	}
	if _, err := plan(&options{weights: "MUTAG=x"}, ""); err == nil {
		t.Error("a weight that is no number is accepted")
	}
}
