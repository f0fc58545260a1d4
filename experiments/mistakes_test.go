package main

import (
	"path/filepath"
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
)

// TestMistakes: each mistake on the command line is fatal, and told in words. Nothing is written.
func TestMistakes(t *testing.T) {
	t.Parallel()
	s := newSession(t, "")
	for _, c := range []struct{ args, want string }{
		{"list -workers 3", "-workers: list has no such flag; it belongs to run, plan"},
		{"report -cell 01", "-cell: report has no such flag; it belongs to run, list"},
		{"report -rerun failed", "-rerun: report has no such flag; it belongs to run"},
		{"report -shard 0/3", "-shard: report has no such flag; it belongs to run, list, plan"},
		{"run -json", "-json: run has no such flag; it belongs to plan"},
		{"run -limit 1h", "belongs to plan"},
		{"list -shards 3", "-shards: list has no such flag; it belongs to plan"},
		{"verdicts -config clustering", "-config: verdicts has no such flag"},
		{"-yes", "-yes: run has no such flag; it belongs to gc"},
		{"-list", "-list: list is a verb and comes first: ogdl list"},
		{"run -gc", "-gc: gc is a verb and comes first: ogdl gc"},
		{"run -nonsense", "flag provided but not defined: -nonsense"},
		{"run -conf x", "did you mean -config?"},
		{"report -workrs 1", "flag provided but not defined: -workrs"},
		{"list -otu x", "did you mean -out?"},
		{"lst", `unexpected argument "lst"; expected flags, or one of these verbs first: run, list, `},
		{"lst", "did you mean list?"},
		{"list more", `unexpected argument "more"`},
		{"help nothing", "help nothing: no such verb or method"},
		{"run -workers 1.5", `invalid value "1.5" for flag -workers: must be a whole number`},
		{"run -workers 0", "from 1 to 1024"},
		{"run -workers 1025", "from 1 to 1024"},
		{"plan -limit 5", `invalid value "5" for flag -limit: must be a time above 0, such as 90m or 2h`},
		{"plan -limit 0s", "must be a time above 0"},
		{"plan -limit -1h", "must be a time above 0"},
		{"plan -shards 0", "from 1 to 100000"},
		{"plan -shards 100001", "from 1 to 100000"},
		{"plan -shards many", "from 1 to 100000"},
		{"plan -shards 3 -shard 0/3", "omit -shard"},
		{"run -shard 3/3", "must be i/n"},
		{"run -shard 0/3 -cell 0123", "leave out -filter, -shard"},
		{"run -cell a -force", "leave out -filter, -shard, -rerun and -force"},
		{"run -rerun all", `-rerun "all": must be "failed"`},
		{"run -rerun faled", "did you mean failed?"},
		{"run -config clusterin.toml", "did you mean clustering?"},
		{"run -rerun failed -force", "-rerun and -force contradict each other"},
		{"run -verify=x", "-verify: must be true or false"},
		{"run -figure-titles=x", "-figure-titles: must be true or false"},
		{"report -figure-width 8.25", "-figure-width: must be a number with its unit (cm, mm, in, pt), from 4cm to 100cm"},
		{"report -figure-formats jpg", "-figure-formats: must be a list of svg, pdf and png"},
		{"run -filter x", "-filter"},
		{"fit -seed x", "-seed: must be a whole number"},
		{"gc -out DIR/nowhere", "nowhere: no such file"},
		{"ledger add DIR x", "has no store"},
		{"ledger", "expected add OUT PATH"},
		{"run -config \x1b[31mred", `x1b[31mred`}, // no escape of a name reaches a terminal
	} {
		args := strings.Fields(strings.ReplaceAll(c.args, "DIR", s.dir))
		s.verbContext(t.Context(), exitFatal, args...).wantErr("ogdl: ", c.want)
		if strings.ContainsRune(s.stdout+s.stderr, '\x1b') {
			t.Errorf("%s: %q", c.args, s.stderr)
		}
	}
	// An empty value would count as not given.
	for _, args := range []string{"run -cell", "run -ledger", "run -rerun", "run -data", "run -log", "report -out",
		"fit -graphs", "embed -dict"} {
		verb, name, _ := strings.Cut(args, " ")
		s.verb(exitFatal, verb, name, "").wantErr(name + " \"\": the value is empty")
	}
	for _, text := range []string{"", "lambda=0"} {
		s.verb(exitFatal, "list", "-filter", text, "-filter", "").wantErr("-filter: the value is empty")
	}
	s.write("grid.toml", strings.Replace(exptest.Tiny, "batch = 4", "batch = 0", 1))
	s.run(exitFatal).wantErr("grid.toml:13: batch = 0: must be an integer from 1")
	s.run(exitFatal, "-set", "batch=2.0").wantErr("-set: batch = 2: must be an integer from 1 to 1000000, written without a point")
	absent(t, filepath.Join(s.dir, "out"))
}
