package dev

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"ogdl/internal/test/must"
)

// The cluster of these tests is made of shell scripts: what scripts/slurm/test.sh does to a real Slurm
// in minutes is tried here in all its turns. A cell is a number; cell k is in shard k mod n, and $STATE
// has a file for each that is done or failed.
const (
	slurmProgram = `#!/usr/bin/env bash
i=0 n=1 mode= shards=
while [ $# -gt 0 ]; do
  case $1 in
    -shard) i=${2%/*} n=${2#*/}; shift ;;
    -shards) shards=$2; shift ;;
    list | plan | report) mode=$1 ;;
  esac
  shift
done
case $mode in
  plan)
    [ $EFFECT != planless ] || exit 1
    [ -z "$shards" ] || echo "plan of $shards shards" >>"$STATE/log"
    printf '{\n  "cells": 6,\n  "pending": 6,\n  "shards_for_limit": 3,\n  "wall_seconds": {\n    "1": 2\n  },\n  "shards": ['
    comma=
    for ((i = 0; i < ${shards:-0}; i++)); do
      pending=0
      for ((k = i; k < 6; k += shards)); do [ -e "$STATE/done-$k" ] || pending=$((pending + 1)); done
      printf '%s\n    {\n      "shard": %d,\n      "pending": %d,\n      "seconds": %d.5\n    }' "$comma" $i $pending $pending
      comma=,
    done
    printf '\n  ],\n  "products": {\n    "pending": 1\n  },\n  "kinds": [\n    {\n      "method": "GDL",\n      "pending": 6\n    }\n  ]\n}\n' ;;
  report) echo report >>"$STATE/log" ;;
  list)
    echo "configuration: fake" >&2
    count=0 done=0 failed=0
    for ((k = i; k < 6; k += n)); do
      count=$((count + 1)) state=pending
      [ ! -e "$STATE/done-$k" ] || { state=done; done=$((done + 1)); }
      [ -e "$STATE/done-$k" ] || [ ! -e "$STATE/failed-$k" ] || { state=failed; failed=$((failed + 1)); }
      echo "cell$k  $state  GDL D1"
    done
    more=
    [ $done = $count ] || more=", 2 to 4 to be chosen"
    echo "$((count + 2)) cells: $done done, $((count - done - failed)) pending, $failed failed, 2 ruled out by a race$more" ;;
esac
`
	// What an array does: finish everything, one cell, nothing, or fail at everything.
	slurmSbatch = `#!/usr/bin/env bash
echo "sbatch $*" >>"$STATE/log"
case $EFFECT$(ls "$STATE/second" 2>/dev/null) in rejected | down?*) echo "sbatch: error: invalid partition" >&2; exit 1 ;; esac
for a in "$@"; do case $a in --array=*) list=${a#*=} list=${list%\%*} ;; esac; done
set -- "${@#*worker.sh}"
while [ -n "$1" ]; do shift; done
n=$3
for i in ${list//,/ }; do
  for ((k = i; k < 6; k += n)); do
    case $EFFECT in down) [ "$k" != 0 ] || : >"$STATE/done-$k" ;; all | late | held | unknown) : >"$STATE/done-$k" ;; failing) : >"$STATE/failed-$k" ;; esac
    if [ "$EFFECT" = one ] && [ ! -e "$STATE/done-$k" ]; then : >"$STATE/done-$k"; echo 7; exit; fi
    # The first array leaves its last shard to the second.
    case $EFFECT in late | held | unknown) [ "$i" != 2 ] || [ -e "$STATE/second" ] || rm -f "$STATE/done-$k" ;; esac
  done
done
: >"$STATE/second"
rm -f "$STATE/queue"
echo 7
`
	slurmSqueue = `#!/usr/bin/env bash
echo squeue >>"$STATE/queue"
asked=$(wc -l <"$STATE/queue")
case $EFFECT$asked in
  unknown[1234]) exit 1 ;;
  late1 | late2) echo RUNNING/None ;;
  late*) echo PENDING/BeginTime ;;
  held*) echo "PENDING/launch failed requeued held" ;;
  all1) echo RUNNING/None; echo PENDING/BeginTime ;;
esac
exit 0
`
	slurmScancel = "#!/usr/bin/env bash\necho scancel >>\"$STATE/log\"\n"
	// Nobody waits for a cluster that is not there.
	slurmSleep = "#!/usr/bin/env bash\n:\n"
)

// TestSlurmOfTheProgram: the array of a grid that is done in part is that of the shards that list finds
// something missing in, by the program's own plan.
func TestSlurmOfTheProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("shell scripts")
	}
	bash(t)
	dir := t.TempDir()
	program, config, out := filepath.Join(dir, "experiments"), filepath.Join(dir, "grid.toml"), filepath.Join(dir, "out")
	command := func(name string, args ...string) string {
		t.Helper()
		text, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, text)
		}
		return string(text)
	}
	command("go", "build", "-o", program, "ogdl/experiments")
	grid := "table = \"clustering\"\nrepetitions = 2\n[[grid]]\ndataset = \"D1\"\nsbm_graphs = 4\nsbm_order_max = 15\n" +
		"method = \"GDL\"\natoms = [2, 3]\norder = 4\nlambda = [0, 0.01]\nepochs = 1\nbatch = 4\nkmeans_restarts = 2\n"
	must.Do(t, os.WriteFile(config, []byte(grid), 0o644))
	command(program, "-config", config, "-out", out, "-filter", "atoms=2 lambda=0")
	command(program, "-config", config, "-out", out, "-filter", "atoms=3 repetition=1")
	var want []string
	for i := range 6 {
		if strings.Contains(command(program, "list", "-config", config, "-out", out, "-shard", fmt.Sprintf("%d/6", i)), "  pending  ") {
			want = append(want, strconv.Itoa(i))
		}
	}
	if len(want) < 2 || len(want) > 4 { // a hash may put two of the four missing cells into one shard
		t.Fatalf("shards %v have something missing, want 2 to 4 of them", want)
	}
	got := command("bash", "../slurm/submit.sh", "-config", config, "-out", out, "-binary", program, "-tasks", "6", "-parallel", "3", "-dry-run")
	if array := "--array=" + strings.Join(want, `\,`) + "%3 "; !strings.Contains(got, array) {
		t.Errorf("no %s in %s", array, got)
	}
}

// TestSlurmSubmission goes through what a cluster does to submit.sh.
func TestSlurmSubmission(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("shell scripts")
	}
	bash(t)
	submit := must.Get(filepath.Abs("../slurm/submit.sh"))
	for _, c := range []struct {
		name, effect string
		args         []string
		done         string // cells done before
		code         int
		arrays       []string // of each sbatch
		want         []string // of what is printed
		report       bool
	}{
		{"all at once", "all", nil, "", 0, []string{"0,1,2%3"}, []string{"6 cells: 6 done, 0 missing, 0 failed"}, true},
		{"a given number of tasks", "all", []string{"-tasks", "4", "-parallel", "2"}, "", 0, []string{"0,1,2,3%2"}, nil, true},
		{"more tasks than cells", "all", []string{"-tasks", "9"}, "", 0, []string{"0,1,2,3,4,5%3"}, nil, true},
		{"shards that are done are left out", "all", nil, "034", 0, []string{"1,2%3"}, []string{"3 done, 3 missing"}, true},
		{"nothing is missing", "all", nil, "012345", 0, nil, []string{"6 done"}, true},
		{"squeue fails: the array is not over", "unknown", nil, "", 0, []string{"0,1,2%3", "0,1%3"}, []string{"squeue fails"}, true},
		{"tasks wait for a time after a crash", "late", nil, "", 0, []string{"0,1,2%3", "0,1%3"}, []string{"would start later"}, true},
		{"tasks are held", "held", nil, "", 0, []string{"0,1,2%3", "0,1%3"}, []string{"are held"}, true},
		{"one cell an array", "one", nil, "0123", 0, []string{"0,1%3", "0%3"}, nil, true},
		{"arrays bring nothing", "none", nil, "0123", 4, []string{"0,1%3", "0,1%3", "0,1%3"}, []string{"given up after 3 arrays", "2 missing", "cell4  pending"}, true},
		{"cells fail", "failing", nil, "0123", 3, []string{"0,1%3"}, []string{"brought no cell", "2 failed", "cell5  failed"}, true},
		{"sbatch refuses", "rejected", nil, "", 1, []string{"0,1,2%3"}, []string{"invalid partition", "refuses"}, false},
		{"sbatch refuses later", "down", nil, "", 4, []string{"0,1,2%3", "0,1,2%3", "0,1,2%3", "0,1,2%3"}, []string{"refuses", "given up after 3 arrays"}, true},
		{"one array", "none", []string{"-once"}, "", 0, []string{"0,1,2%3"}, []string{"6 missing"}, false},
		{"one array of nothing", "none", []string{"-once"}, "012345", 0, nil, []string{"nothing is missing"}, false},
		{"dry", "none", []string{"-dry-run", "--", "--partition=long"}, "", 0, nil,
			[]string{"sbatch ", `--array=0\,1\,2%3`, "--signal=B:TERM@120", "--requeue", "--time=60", "--partition=long"}, false},
		{"the plan fails", "planless", []string{"-tasks", "3"}, "", 1, nil, []string{"plan -shards 3 does not say what is missing"}, false},
		{"the plan knows no times", "planless", nil, "", 1, nil, []string{"give -tasks N"}, false},
		{"no time for the signal", "all", []string{"-time", "4"}, "", 1, nil, []string{"at least 5 minutes"}, false},
		{"no number", "all", []string{"-parallel", "many"}, "", 1, nil, []string{"-parallel many"}, false},
		{"more than Slurm takes", "all", []string{"-tasks", "1001"}, "", 1, nil, []string{"at most 1000"}, false},
		{"unknown option", "all", []string{"-nodes", "3"}, "", 1, nil, []string{"unknown option -nodes"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range map[string]string{
				"bin/sbatch": slurmSbatch, "bin/squeue": slurmSqueue, "bin/scancel": slurmScancel, "bin/sleep": slurmSleep, "program": slurmProgram,
			} {
				path := filepath.Join(dir, name)
				must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
				must.Do(t, os.WriteFile(path, []byte(text), 0o755))
			}
			for _, k := range c.done {
				must.Do(t, os.WriteFile(filepath.Join(dir, "done-"+string(k)), nil, 0o644))
			}
			args := append([]string{submit, "-config", "fake.toml", "-out", filepath.Join(dir, "out"), "-binary", filepath.Join(dir, "program"), "-parallel", "3"}, c.args...)
			cmd := exec.CommandContext(t.Context(), "bash", args...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "STATE="+dir, "EFFECT="+c.effect, "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
			out, status := outcome(t, cmd)
			must.Check(t, status, c.code, "exit code")
			log, err := os.ReadFile(filepath.Join(dir, "log"))
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			var arrays []string
			for _, line := range strings.Split(string(log), "\n") {
				if _, after, found := strings.Cut(line, "--array="); found {
					array, _, _ := strings.Cut(after, " ")
					arrays = append(arrays, array)
				}
			}
			must.Check(t, strings.Join(arrays, " "), strings.Join(c.arrays, " "), "arrays")
			// Looking for what is missing costs one call an array, not one a shard.
			submissions := len(c.arrays)
			if c.name == "dry" {
				submissions = 1
			}
			must.Check(t, strings.Count(string(log), "plan of "), submissions, "plans of shards, and arrays")
			must.Contain(t, out, c.want...)
			must.Check(t, strings.Contains(string(log), "report"), c.report, "a report: %v", !c.report)
			if t.Failed() {
				t.Logf("%s\n%s", out, log)
			}
		})
	}
}
