package dev

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/internal/test/must"
)

// standInGo answers as the go command does: two packages, four targets. FuzzFlaky ends once with the
// engine's own deadline, FuzzStuck always does, FuzzBad finds an input.
const standInGo = `#!/bin/sh
echo "$*" >>"$CALLS"
case "$*" in
"list -f {{.Dir}} "*) echo "/src/${4#m/}" ;;
"list "*) echo m/a; echo m/b ;;
"test -list ^Fuzz m/a") printf 'FuzzGood\nFuzzFlaky\nok  \tm/a\t0.1s\n' ;;
"test -list ^Fuzz m/b") printf 'FuzzBad\nFuzzStuck\nok  \tm/b\t0.1s\n' ;;
*FuzzGood*) printf 'fuzz: elapsed: 0s, execs: 0 (0/sec)\nfuzz: elapsed: 1s, execs: 120 (120/sec), new interesting: 1 (total: 4)\nPASS\n' ;;
*FuzzFlaky*)
  [ -e "$CALLS.once" ] && echo 'fuzz: elapsed: 1s, execs: 30 (30/sec)' && exit 0
  : >"$CALLS.once"
  printf 'fuzz: elapsed: 1s, execs: 7 (7/sec)\n--- FAIL: FuzzFlaky (1.02s)\n    context deadline exceeded\n'; exit 1 ;;
*FuzzBad*) printf 'fuzz: elapsed: 1s, execs: 5 (5/sec)\n--- FAIL: FuzzBad (0.02s)\n    context deadline exceeded\n    Failing input written to testdata/fuzz/FuzzBad/0a1b\n'; exit 1 ;;
*FuzzStuck*) printf -- '--- FAIL: FuzzStuck (1.02s)\n    context deadline exceeded\n'; exit 1 ;;
esac
`

// fuzz runs the script with that go command, and returns what it called.
func fuzz(t *testing.T, args ...string) (output string, calls []string, status int) {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "go"), []byte(standInGo), 0o777))
	log := filepath.Join(dir, "calls")
	cmd := exec.Command(bash(t), append([]string{"fuzz.sh"}, args...)...)
	cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "CALLS="+log)
	output, status = outcome(t, cmd)
	data, _ := os.ReadFile(log) // there is none where nothing was called
	return output, strings.Split(strings.TrimSpace(string(data)), "\n"), status
}

func TestFuzz(t *testing.T) {
	out, calls, status := fuzz(t, "-total", "1m")
	must.Check(t, status, 1, "status")
	must.Contain(t, out,
		"         120  m/a FuzzGood\n",
		"          30  m/a FuzzFlaky\n", // of the second try
		"           5  m/b FuzzBad\n",
		"           0  m/b FuzzStuck\n",
		"fuzz: the input that fails FuzzBad: /src/b/testdata/fuzz/FuzzBad/0a1b\n",
		"         155  executions of 4 targets, 15.000 s each\n",
		"fuzz: failed: m/b FuzzBad\nfuzz: failed: m/b FuzzStuck\n")
	runs := map[string]int{}
	for _, c := range calls {
		for _, name := range []string{"FuzzGood", "FuzzFlaky", "FuzzBad", "FuzzStuck"} {
			if strings.Contains(c, "-fuzz ^"+name+"$") {
				runs[name]++
				must.Contain(t, c, "-fuzztime 15000ms -fuzzminimizetime 1x")
			}
		}
	}
	// A failing input is no deadline of the engine's, whatever else is said.
	if runs["FuzzGood"] != 1 || runs["FuzzFlaky"] != 2 || runs["FuzzBad"] != 1 || runs["FuzzStuck"] != 2 {
		t.Errorf("runs: %v", runs)
	}
}

func TestFuzzOnly(t *testing.T) {
	out, calls, status := fuzz(t, "-only", "Good", "-total", "2s", "./a", "./b")
	if strings.Contains(strings.Join(calls, "\n"), "fuzzcachedir") {
		t.Errorf("calls %q", calls)
	}
	if status != 0 || !strings.Contains(out, "120  executions of 1 targets, 2.000 s each\n") || calls[0] != "list ./a ./b" {
		t.Errorf("status %d, calls %q\n%s", status, calls, out)
	}
}

// TestFuzzFresh: what was found before is not looked at.
func TestFuzzFresh(t *testing.T) {
	_, calls, status := fuzz(t, "-fresh", "-only", "Good", "-total", "2s")
	if last := calls[len(calls)-1]; status != 0 || !strings.Contains(last, " m/a -args -test.fuzzcachedir=/") {
		t.Errorf("status %d, calls %q", status, calls)
	}
}

func TestFuzzArguments(t *testing.T) {
	for _, args := range [][]string{
		{"-total", "5"}, {"-total", "-5s"}, {"-total", "0s"}, {"-total", "1e3s"}, {"-total"}, {"-only"}, {"-time", "5s"}, {"-only", "None"},
	} {
		out, calls, status := fuzz(t, args...)
		if status != 2 || !strings.Contains(out, "fuzz") {
			t.Errorf("%q: status %d\n%s", args, status, out)
		}
		for _, c := range calls {
			if strings.Contains(c, "-fuzztime") {
				t.Errorf("%q: %s", args, c)
			}
		}
	}
}
