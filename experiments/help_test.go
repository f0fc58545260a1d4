package main

import (
	"bytes"
	"context"
	"flag"
	"slices"
	"strings"
	"testing"

	"ogdl/configs"
)

// helped returns what the arguments print, and to stderr, with the exit code.
func helped(t *testing.T, args ...string) (out, errs string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(context.Background(), args, &stdout, &stderr)
	return stdout.String(), stderr.String(), code
}

func TestHelpGroupsHoldEveryFlag(t *testing.T) {
	f, _ := (&options{}).flags()
	var have, grouped []string
	f.VisitAll(func(fl *flag.Flag) { have = append(have, fl.Name) })
	for _, g := range flagGroups {
		grouped = append(grouped, g.flags...)
	}
	slices.Sort(grouped)
	if !slices.Equal(have, grouped) {
		t.Errorf("the help has the flags\n%v, the program\n%v", grouped, have)
	}
}

func TestHelpIsShort(t *testing.T) {
	for _, args := range [][]string{{"-help"}, {"-h"}, {"-help", "-list"}} {
		out, _, code := helped(t, args...)
		lines := strings.Split(out, "\n")
		if code != exitOK || len(lines) > 80 {
			t.Errorf("%v: exit code %d, %d lines", args, code, len(lines))
		}
		for _, line := range lines {
			if len(line) > helpWidth {
				t.Errorf("%v: %d letters: %s", args, len(line), line)
			}
		}
		want := append([]string{"Usage:", "130", "-help METHOD", "smoke.toml)"}, configs.Names()...)
		for _, m := range methods().described() {
			want = append(want, "\n  "+m.name+" ")
		}
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("%v prints no %q", args, w)
			}
		}
	}
}

func TestHelpOfMethods(t *testing.T) {
	all, _, _ := helped(t, "-help", "all")
	for _, m := range methods().described() {
		out, _, code := helped(t, "-help", m.name)
		if code != exitOK || !strings.HasPrefix(out, m.name+": ") || !strings.Contains(all, out) {
			t.Errorf("%s: exit code %d, prints\n%s", m.name, code, out)
		}
		for _, q := range m.parameters() {
			if !strings.Contains(out, "\n  "+q.name+" ") && !strings.Contains(out, "\n  "+q.name+"\n") {
				t.Errorf("%s: %s is not described", m.name, q.name)
			}
		}
	}
	out, _, _ := helped(t, "-help", "GDL")
	out = strings.Join(strings.Fields(out), " ")
	for _, want := range []string{"step_features step size", `only with features = "labels", "attributes" or "degree"`, `(default "median")`} {
		if !strings.Contains(out, want) {
			t.Errorf("-help GDL prints no %q", want)
		}
	}
	if _, errs, code := helped(t, "-help", "GDH"); code != exitFatal || !strings.Contains(errs, "-help GDH: no such method; allowed: GDL, ") {
		t.Errorf("-help GDH: exit code %d, %s", code, errs)
	}
}
