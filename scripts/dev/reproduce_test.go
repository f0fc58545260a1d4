package dev

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"ogdl/internal/test/must"
)

// TestReproduce: pieces that are stopped, and a script that is killed, leave a ledger that the same command completes and commits.
func TestReproduce(t *testing.T) {
	if !*full {
		t.Skip("runs a grid in pieces, which takes 12 s: run with -full")
	}
	if runtime.GOOS != "linux" {
		t.Skip("uses timeout and git as they are on Linux")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	config := filepath.Join(dir, "tiny.toml")
	write("tiny.toml", "table = \"clustering\"\nrepetitions = 6\n[[grid]]\ndataset = \"D1\"\nsbm_graphs = 20\nmethod = \"GDL\"\nlambda = [0, 0.01]\n"+
		"atoms = 3\norder = 6\nepochs = 20\n")
	write("steps", config+" repetition=0\n"+config+"\nnot-this-one\n")
	git := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=e"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	git("init", "-q")
	script := func(args ...string) *exec.Cmd {
		cmd := exec.Command("bash", append([]string{"../reproduce.sh", "-out", filepath.Join(dir, "out"), "-ledger", filepath.Join(dir, "ledger"),
			"-steps", filepath.Join(dir, "steps"), "-only", "tiny", "-commit"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=n", "GIT_AUTHOR_EMAIL=e", "GIT_COMMITTER_NAME=n", "GIT_COMMITTER_EMAIL=e")
		return cmd
	}
	run := func(want string, args ...string) {
		t.Helper()
		out, err := script(args...).CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Fatalf("%v: %v, want %q\n%s", args, err, want, out)
		}
	}
	for args, want := range map[string]string{"-steps none": "no file that can be read", "-only (": "no regular expression", "-only nothing": "no step matches"} {
		out, err := script(strings.Fields(args)...).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, want exit code 2 and %q\n%s", args, err, want, out)
		}
	}
	run("ledger: 2 cells added", "-pieces", "1")
	end := func(cells int, by os.Signal, args ...string) *exec.Cmd { // the script, once there are so many cells
		t.Helper()
		cmd := script(args...)
		must.Do(t, cmd.Start())
		for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(10 * time.Millisecond) {
			if found, _ := filepath.Glob(filepath.Join(dir, "out", "store", "*", "*.npz")); len(found) >= cells {
				break
			}
		}
		must.Do(t, cmd.Process.Signal(by))
		_ = cmd.Wait() // it was ended
		return cmd
	}
	must.Check(t, end(3, syscall.SIGTERM, "-piece", "5m").ProcessState.ExitCode(), 130, "stopped: exit code")
	if s := git("status", "--porcelain", "--", "ledger"); s != "" || strings.Count(git("log", "--oneline"), "the ledger after") != 2 {
		t.Errorf("not committed when it was stopped: %q", s)
	}
	// The piece goes on by itself. On a busy machine one of a few seconds might end no cell, as nice 19 leaves it little.
	end(5, os.Kill, "-piece", "1m")
	for began := time.Now(); working(t, filepath.Join(dir, "out")) && time.Since(began) < 2*time.Minute; time.Sleep(50 * time.Millisecond) {
	}
	run("computed ", "-piece", "5m")
	run("ledger: 0 cells added", "-piece", "5m")
	if files, err := filepath.Glob(filepath.Join(dir, "ledger", "D1_GDL.jsonl.gz")); err != nil || len(files) != 1 {
		t.Errorf("%v %v", files, err)
	}
	if n := strings.Count(git("log", "--oneline"), "the ledger after"); n < 2 || n > 20 {
		t.Errorf("%d commits", n)
	}
	must.Check(t, git("status", "--porcelain", "--", "ledger"), "", "changes that are not committed")
	records, _ := filepath.Glob(filepath.Join(dir, "out", "store", "*", "*.npz"))
	must.Check(t, len(records), 12, "cells")
	if out, err := script("-piece", "soon").CombinedOutput(); err == nil {
		t.Errorf("-piece soon: %s", out)
	}
}

// working reports whether a process names the folder in its command line.
func working(t *testing.T, folder string) bool {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil || len(lines) == 0 {
		t.Fatalf("processes: %v %v", lines, err)
	}
	return slices.ContainsFunc(lines, func(file string) bool {
		line, err := os.ReadFile(file)
		return err == nil && bytes.Contains(line, []byte(folder)) // one that has ended has none
	})
}
