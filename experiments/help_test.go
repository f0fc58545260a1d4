package main

import (
	"bytes"
	"context"
	"flag"
	"strings"
	"testing"

	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/protocol"
	"ogdl/internal/test/must"
)

// helped returns what the arguments print, and to stderr, with the exit code.
func helped(t *testing.T, args ...string) (out, errs string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = execute(context.Background(), args, &stdout, &stderr)
	return stdout.String(), stderr.String(), code
}

// TestHelpIsOneScreen: that of the program and of every verb, with all its flags.
func TestHelpIsOneScreen(t *testing.T) {
	check := func(want []string, args ...string) {
		t.Helper()
		out, _, code := helped(t, args...)
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		if code != exitOK || len(lines) > 28 {
			t.Errorf("%v: exit code %d, %d lines:\n%s", args, code, len(lines), out)
		}
		for _, line := range lines {
			if len(line) > helpWidth {
				t.Errorf("%v: %d letters: %s", args, len(line), line)
			}
		}
		must.Contain(t, out, append(want, "Usage: ")...)
	}
	all := []string{"130"}
	listed, _, _ := helped(t, "help", "configurations")
	must.Same(t, strings.Fields(listed), grid.Names(), "names that help configurations prints")
	out, _, code := helped(t, "help", "methods")
	for _, m := range protocol.Methods().Described() {
		if code != exitOK || !strings.Contains(out, "  "+m.Name+" ") || !strings.Contains(strings.Join(strings.Fields(out), " "), m.Doc) {
			t.Errorf("exit code %d, help of methods without %s:\n%s", code, m.Name, out)
		}
	}
	for _, v := range verbs() {
		all = append(all, "\n  "+v.name+" ")
		f, _ := v.flagSet(program{})
		flags := []string{"\nExample: ogdl " + v.name}
		f.VisitAll(func(fl *flag.Flag) { flags = append(flags, "\n  -"+fl.Name) })
		for _, args := range [][]string{{v.name, "-help"}, {"help", v.name}, {"-help", v.name}} {
			check(flags, args...)
		}
	}
	for _, args := range [][]string{{"-help"}, {"-h"}, {"help"}} {
		check(all, args...)
	}
	if out, _, code := helped(t, "version"); code != exitOK || !strings.HasPrefix(out, "ogdl ") || !strings.Contains(out, "go1.") {
		t.Errorf("version: exit code %d, %q", code, out)
	}
}

// TestExamples holds that the example of each verb is a command line that the verb takes.
func TestExamples(t *testing.T) {
	for _, v := range verbs() {
		var words []string
		for i, part := range strings.Split(v.example, "'") {
			if i%2 == 1 {
				words = append(words, part)
			} else {
				words = append(words, strings.Fields(part)...)
			}
		}
		f, _ := v.flagSet(program{})
		if len(words) < 2 || words[0] != "ogdl" || words[1] != v.name {
			t.Errorf("%s: the example is %q", v.name, v.example)
			continue
		}
		if err := f.Parse(words[2:]); err != nil || v.name != "help" && f.NArg() != len(strings.Fields(v.args)) {
			t.Errorf("%s: %v, %d arguments, want %q", v.example, err, f.NArg(), v.args)
		}
	}
}

func TestHelpOfMethods(t *testing.T) {
	all, _, _ := helped(t, "-help", "all")
	for _, m := range protocol.Methods().Described() {
		out, _, code := helped(t, "-help", m.Name)
		if code != exitOK || !strings.HasPrefix(out, m.Name+": ") || !strings.Contains(all, out) {
			t.Errorf("%s: exit code %d, prints\n%s", m.Name, code, out)
		}
		for _, q := range m.Parameters() {
			if !strings.Contains(out, "\n  "+q.Name+" ") && !strings.Contains(out, "\n  "+q.Name+"\n") {
				t.Errorf("%s: %s is not described", m.Name, q.Name)
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
	if _, errs, code := helped(t, "-help", "GDH"); code != exitFatal || !strings.Contains(errs, "help GDH: no such verb or method; did you mean GDL?") {
		t.Errorf("-help GDH: exit code %d, %s", code, errs)
	}
}
