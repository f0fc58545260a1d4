package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ogdl/datasets"
	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/ledger"
	"ogdl/internal/lock"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
	"ogdl/internal/words"
	"ogdl/reports/summary"
)

// killable is a grid of small cells of several methods, some on a matrix of distances.
var killable = exptest.Tiny + exptest.D1("method = \"SC\"\ngamma = [1, 16]\n") + exptest.D1("method = \"GW-k\"\norder = 5\n")

// session is a folder with a configuration and what runs leave in it.
type session struct {
	t       *testing.T
	dir     string
	methods method.Table
	stdout  string
	stderr  string
}

func newSession(t *testing.T, config string) *session {
	t.Helper()
	s := &session{t: t, dir: t.TempDir(), methods: protocol.Methods()}
	s.write("grid.toml", config)
	return s
}

func (s *session) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	must.Do(s.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(s.t, os.WriteFile(path, []byte(text), 0o644))
}

// run runs the program, which must end with that exit code.
func (s *session) run(want int, args ...string) *session {
	s.t.Helper()
	return s.runContext(context.Background(), want, args...)
}

func (s *session) runContext(ctx context.Context, want int, args ...string) *session {
	s.t.Helper()
	s.verbContext(ctx, want, s.with(args)...)
	s.checkTables()
	return s
}

// forPeople is what a field of a table's CSV may not be: a number with its deviation, count, unit or mark, or a word for what is missing.
var forPeople = regexp.MustCompile(`^[-+]?[0-9.]+( \(|[*#]| of [0-9])|%|^(-|NaN|[-+]?Inf)$`)

// checkTables holds the CSV of all tables that are there to be for programs.
func (s *session) checkTables() {
	s.t.Helper()
	for _, path := range append(s.files("out/*/*.csv"), s.files("out/*/timings/*.csv")...) {
		rows := rowsOf(s.t, path)
		for _, row := range rows[1:] {
			for j, field := range row {
				if forPeople.MatchString(field) || field == "missing" && rows[0][j] != "verdict" {
					s.t.Errorf("%s: %q in %s", filepath.Base(path), field, rows[0][j])
				}
			}
		}
	}
}

// rowsOf reads a table of CSV, whose first row is its head.
func rowsOf(t *testing.T, path string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(read(t, path))).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Fatalf("%s: %d rows, %v", path, len(rows), err)
	}
	return rows
}

// files are the paths below the session's folder that match a pattern.
func (s *session) files(pattern string) []string {
	s.t.Helper()
	return must.Get(filepath.Glob(filepath.Join(s.dir, filepath.FromSlash(pattern))))
}

// reported reads a file of the report.
func (s *session) reported(name string) string {
	s.t.Helper()
	return read(s.t, filepath.Join(s.dir, "out", "grid", filepath.FromSlash(name)))
}

// try runs the program, on the session's configuration, and returns its exit code. An argument such as -list stands for the verb.
func (s *session) try(ctx context.Context, args ...string) int {
	return s.program(ctx, s.with(args)...)
}

// with puts the verb, and flags of the session, before arguments.
func (s *session) with(args []string) []string {
	verb := "run"
	for _, name := range []string{"list", "plan", "report"} {
		if at := slices.Index(args, "-"+name); at >= 0 {
			verb, args = name, slices.Delete(slices.Clone(args), at, at+1)
		}
	}
	all := []string{verb, "-config", filepath.Join(s.dir, "grid.toml"), "-out", filepath.Join(s.dir, "out"), "-data", filepath.Join(s.dir, "data")}
	if verb == "run" || verb == "report" {
		all = append(all, "-figure-formats", "svg") // a PDF costs as much again
	}
	return append(all, args...)
}

// verb runs a verb with these arguments and no others.
func (s *session) verb(want int, name string, args ...string) *session {
	s.t.Helper()
	return s.verbContext(context.Background(), want, append([]string{name}, args...)...)
}

func (s *session) verbContext(ctx context.Context, want int, args ...string) *session {
	s.t.Helper()
	if got := s.program(ctx, args...); got != want {
		s.t.Fatalf("%s: exit code %d, want %d\nstdout:\n%s\nstderr:\n%s", args, got, want, s.stdout, s.stderr)
	}
	return s
}

func (s *session) program(ctx context.Context, args ...string) int {
	var out, errs bytes.Buffer
	code := program{methods: s.methods, blocks: scBlocks}.run(ctx, args, &out, &errs)
	s.stdout, s.stderr = out.String(), errs.String()
	return code
}

func (s *session) wantErr(parts ...string) *session {
	s.t.Helper()
	return s.want("stderr", s.stderr, parts)
}

func (s *session) wantOut(parts ...string) *session {
	s.t.Helper()
	return s.want("stdout", s.stdout, parts)
}

func (s *session) want(where, text string, parts []string) *session {
	s.t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) && !strings.Contains(strings.Join(strings.Fields(text), " "), p) { // sentences are in lines
			s.t.Errorf("%s lacks %q:\n%s", where, p, text)
		}
	}
	return s
}

// results reads what is promised to be equal byte for byte: records, arrays and
// tables, without timings.
func (s *session) results() map[string]string {
	s.t.Helper()
	times := strings.Contains(read(s.t, filepath.Join(s.dir, "grid.toml")), `table = "runtimes"`) // its page has them
	return filesBelow(s.t, filepath.Join(s.dir, "out"), func(name string) bool {
		return unpromised(name) || times && (name == filepath.Join("grid", "index.html") || name == filepath.Join("grid", "files.sum"))
	})
}

// ofCell reports whether a file, below out, is of a cell or product.
func ofCell(name string) bool {
	return strings.HasPrefix(name, "store") && !strings.Contains(name, ranFolder)
}

// filesBelow reads the files below a folder, but for those whose names, relative to it, are left out.
func filesBelow(t *testing.T, root string, without func(name string) bool) map[string]string {
	t.Helper()
	out := map[string]string{}
	must.Do(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, path)
		if err != nil || d.IsDir() || without(name) {
			return err
		}
		b, err := os.ReadFile(path)
		out[name] = string(b)
		return err
	}))
	return out
}

// unpromised reports whether a file is outside the promise of equal bytes: times, and the lock.
func unpromised(path string) bool {
	return strings.Contains(path, "timing") || filepath.Base(path) == lock.Name
}

func (s *session) same(want map[string]string) {
	s.t.Helper()
	got := s.results()
	for name, text := range want {
		must.Same(s.t, got[name], text, "%s", name)
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			s.t.Errorf("%s was not there before", name)
		}
	}
}

func (s *session) records() []*record.Record {
	s.t.Helper()
	var out []*record.Record
	for r, err := range s.store().All() {
		must.Do(s.t, err)
		out = append(out, r)
	}
	return out
}

func TestRunFromNothingToTables(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Tiny)
	pdf := []string{"-figure-formats", "svg,pdf"}
	s.run(exitOK, pdf...)
	s.wantErr("configuration: "+filepath.Join(s.dir, "grid.toml"), "4 cells: 0 done already, 4 to compute", "computed 4 cells")
	s.wantOut("GDL_lambda", "rest: tables and figures in ", "records in ", filepath.Join(s.dir, "out", "grid"))
	if last := "\npage: " + filepath.Join(s.dir, "out", "grid", "index.html") + "\n"; !strings.HasSuffix(s.stdout, last) {
		t.Errorf("the last line is not %q:\n%s", last, s.stdout)
	}
	for _, name := range []string{"clustering.txt", "clustering.md", "clustering.csv", "clustering.tex", "clustering_cells.csv", "timings/timings.txt",
		"figures/sweep_lambda.svg", "figures/loss.pdf", "figures/loss.csv", "timings/figures/time_quality.pdf"} {
		if info, err := os.Stat(filepath.Join(s.dir, "out", "grid", name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	recs := s.records()
	must.Equal(t, len(recs), 4, "records")
	for _, r := range recs {
		if r.Status != record.OK || r.Digest == "" || len(r.Assignment) != 12 || len(r.EpochLoss) != 2 || r.NPZSum == "" || r.Convergence.Solves == 0 {
			t.Errorf("record %+v", r)
		}
		if n, _ := r.Number("order"); n != 5 {
			t.Errorf("order %v", r.Params["order"])
		}
		if ri := r.Scores["ri"]; !(ri > 0 && ri <= 1) {
			t.Errorf("Rand Index %v", ri)
		}
	}

	want := s.results()
	s.run(exitOK, pdf...).wantErr("4 done already, 0 to compute", "computed 0 cells")
	s.same(want)
	s.run(exitOK, append(pdf, "-report")...)
	s.same(want)
	s.run(exitOK, append(pdf, "-force")...).wantErr("0 done already, 4 to compute", "computed 4 cells")
	s.same(want)
	// A grid that grew has the files of one that was whole at once.
	grown := newSession(t, strings.Replace(exptest.Tiny, "[0, 0.01]", "0.01", 1))
	grown.run(exitOK)
	grown.write("grid.toml", exptest.Tiny)
	grown.run(exitOK, pdf...).wantErr("2 done already, 2 to compute")
	grown.same(want)
}

func TestCell(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Tiny)
	id := exptest.Parse(t, exptest.Tiny).Cells()[2].ID
	s.run(exitOK, "-cell", id[:6]).wantErr("1 cell: 0 done already, 1 to compute")
	r := s.records()[0]
	lines := strings.Split(strings.TrimSuffix(s.stdout, "\n"), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[1], "tables: as they were; report -config ") {
		t.Fatalf("not a line of the cell and one of the tables: %q", lines)
	}
	absent(t, filepath.Join(s.dir, "out", "grid"))
	for _, part := range []string{r.Method + " " + r.Dataset, fmt.Sprintf(": ok, Rand Index %.4f %%", 100*r.Scores["ri"]), ", objective ",
		"; files: " + s.store().Path(id), " and " + s.store().NPZPath(r)} {
		if !strings.Contains(lines[0], part) {
			t.Errorf("the line of the cell has no %q: %s", part, lines[0])
		}
	}
	if recs := s.records(); len(recs) != 1 || recs[0].ID != id {
		t.Fatalf("%d records", len(recs))
	}
	want := s.results()
	s.run(exitOK, "-cell", id).wantOut("the same bytes as before")
	s.same(want)
	// What an earlier revision may have left: other bytes with equal numbers, and another score.
	for _, c := range []struct {
		change float64
		want   string
	}{{0, "the same numbers as before"}, {0.125, "NOT the same as before"}} {
		old := s.records()[0]
		old.Scores["ri"] += c.change
		must.Do(t, s.store().Put(old, nil, []byte("another file")))
		s.run(exitOK, "-cell", id).wantOut(c.want)
	}
	s.run(exitFatal, "-cell", "nope").wantErr("no cell of grid has this id", "list shows them")
	s.run(exitOK, "-filter", "lambda=0 repetition=1").wantErr("1 cell: ").wantOut("1 of 1", "report -config ")
	if strings.Contains(s.stdout, "missing") || strings.Contains(s.stdout, "0.01") {
		t.Errorf("rows of other cells:\n%s", s.stdout)
	}
	absent(t, filepath.Join(s.dir, "out", "grid"))
	s.run(exitOK)
	want = s.results()
	s.run(exitOK, "-filter", "lambda=0", "-force")
	s.same(want) // the tables stay
	s.run(exitFatal, "-filter", "lambda=7").wantErr("none of the 4 cells")
}

// TestRunFor: a run ends after the time of -for, keeps what is finished, and the next one goes on.
func TestRunFor(t *testing.T) {
	t.Parallel()
	s, _ := probeSession(t, `"ok", "slow"`, time.Hour)
	s.run(exitOK, "-for", "200ms", "-workers", "4")
	done := 0
	for _, r := range s.records() {
		if r.Status == record.OK {
			done++
		}
	}
	s.wantErr("-for 200ms is over: ", words.Plural(done, "cell is", "cells are")+" kept in ")
	absent(t, filepath.Join(s.dir, "out", "grid"))
	s.run(exitOK, "-filter", "mode=ok", "-for", "1h")
	s.run(exitOK, "-list").wantOut("4 cells: 2 done, 2 pending")
	s.run(exitFatal, "-for", "0s").wantErr("must be a time above 0")
}

// TestListOpensNoData: the data folder of this test is a trap, any use of it fails.
func TestListOpensNoData(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Tiny+"[[grid]]\ndataset = [\"MUTAG\", \"PROTEIN\"]\nmethod = \"GDL\"\natoms_per_class = 2\n")
	opened := 0
	for i := range s.methods {
		s.methods[i].Fit = func(context.Context, *method.Task) (*method.Result, error) {
			opened++
			return nil, errors.New("computed")
		}
		s.methods[i].Resolve = func(spec.Values, *datasets.Dataset) error { opened++; return nil }
	}
	s.run(exitOK, "-list")
	s.wantOut("8 cells: 0 done, 8 pending, 0 failed", "pending  GDL MUTAG atoms_per_class=2 seed=1 repetition=0")
	if opened > 0 {
		t.Error("-list computes")
	}
	absent(t, filepath.Join(s.dir, "out"))
	s.methods = protocol.Methods()
	s.run(exitOK, "-filter", "dataset=D1")
	s.run(exitOK, "-list").wantOut("8 cells: 4 done, 4 pending, 0 failed", "done     GDL D1")
}

// TestSkippingKeepsResults: what is done stays when its data have gone.
func TestSkippingKeepsResults(t *testing.T) {
	t.Parallel()
	s := newSession(t, "table = \"clustering\"\nrepetitions = 1\n[[grid]]\ndataset = \"PTC-MR\"\nmethod = \"GDL\"\natoms = 2\nepochs = 1\n")
	s.writeTU("data/PTC_MR", 1, 3)
	s.run(exitOK)
	want := s.results()
	must.Do(t, os.RemoveAll(filepath.Join(s.dir, "data")))
	s.run(exitOK, "-force").wantErr("skipped 1 cell: ")
	s.same(want)
	s.run(exitOK, "-cell", s.records()[0].ID).wantErr("skipped 1 cell: ")
	s.same(want)
}

// labelled is the protocol of methods that give labels themselves.
func labelled() spec.Protocol {
	all := protocol.Methods()
	return all[slices.IndexFunc(all, func(r method.Row) bool { return r.Name == "GW-k" })].Protocol
}

// probe is a method whose cells behave as their parameter says. calls counts fits.
func probe(calls *atomic.Int64, slow time.Duration) method.Row {
	return method.Row{
		Method: spec.Method{Name: "probe", Version: 1, Tables: []string{summary.TableClustering}, Protocol: labelled(),
			Params: []spec.Param{{Name: "mode", Kind: spec.Text, Words: []string{"ok", "panic", "fail", "slow", "stubborn", "nan"}}}},
		Fit: func(ctx context.Context, t *method.Task) (*method.Result, error) {
			calls.Add(1)
			out := &method.Result{Labels: make([]int, len(t.Data.Graphs)), Scores: map[string]float64{}}
			switch t.Params.Text("mode") {
			case "panic":
				var w []float64
				w[len(t.Spaces)]++
			case "fail":
				return nil, errors.New("no solution\nsecond line")
			case "slow":
				select {
				case <-ctx.Done():
					return nil, fmt.Errorf("solving: %w", ctx.Err())
				case <-time.After(slow):
				}
			case "stubborn":
				time.Sleep(slow)
			case "nan":
				zero := 0.0
				out.Scores["objective"] = zero / zero
			}
			return out, nil
		},
	}
}

func probeSession(t *testing.T, modes string, slow time.Duration) (*session, *atomic.Int64) {
	s := newSession(t, head("clustering")+"timeout = \"1h\"\n"+graphs(2, 10, "method = \"probe\"\nmode = ["+modes+"]"))
	calls := &atomic.Int64{}
	s.methods = append(s.methods, probe(calls, slow))
	return s, calls
}

func TestOneBadCellStopsNothing(t *testing.T) {
	t.Parallel()
	s, calls := probeSession(t, `"ok", "panic", "fail", "nan"`, 0)
	s.run(exitFailed)
	must.Check(t, calls.Load(), 8, "fits")
	s.wantErr("2 done, 6 failed, 0 pending", "index out of range", "no solution", "objective is NaN", "6 cells failed", "the same command computes them again")
	for _, r := range s.records() {
		mode := r.Params["mode"]
		must.Check(t, r.Status == record.OK, mode == "ok", "mode %v: %s", mode, r.Status)
		must.Check(t, r.Stack != "", mode == "panic", "mode %v: stack %q", mode, r.Stack)
		if r.Stack != "" && (!strings.Contains(r.Stack, "run_test.go") || strings.Contains(r.Stack, "0x")) {
			t.Errorf("a stack must name the line and no addresses:\n%s", r.Stack)
		}
	}
	s.run(exitOK, "-list").wantOut("2 done, 0 pending, 6 failed", "[failed: no solution]")
	s.run(exitFailed)
	must.Check(t, calls.Load(), 14, "fits: only what is not ok is computed again")
	// The cause is mended.
	s.methods[len(s.methods)-1].Fit = probeOK
	s.run(exitOK, "-rerun", "failed").wantErr("2 done already, 6 to compute")
	s.run(exitOK).wantErr("8 done already, 0 to compute")
	must.Do(t, os.RemoveAll(filepath.Join(s.dir, "out", "store")))
	s.run(exitOK, "-filter", "repetition=0")
	s.run(exitOK, "-rerun", "failed")
	s.wantErr("4 done already, 0 to compute", "-rerun failed: no cell has failed. Without it this command computes the missing cells")
}

func probeOK(_ context.Context, t *method.Task) (*method.Result, error) {
	return &method.Result{Labels: make([]int, len(t.Data.Graphs))}, nil
}

func TestFailfast(t *testing.T) {
	t.Parallel()
	s, calls := probeSession(t, `"fail", "panic", "ok"`, 0)
	s.run(exitFailed, "-failfast", "-workers", "1")
	must.Check(t, calls.Load(), 1, "fits")
}

func TestTimeout(t *testing.T) {
	s, _ := probeSession(t, `"slow", "ok"`, time.Minute)
	s.write("grid.toml", strings.Replace(read(t, filepath.Join(s.dir, "grid.toml")), "1h", "50ms", 1))
	s.run(exitFailed).wantErr("timeout", "not done after 50ms", "2 done, 2 failed")
	for _, r := range s.records() {
		if want := map[any]string{"slow": record.Timeout, "ok": record.OK}[r.Params["mode"]]; r.Status != want {
			t.Errorf("%v: %s", r.Params["mode"], r.Status)
		}
	}
}

// TestInterrupt: a run stops within 2 s whether its cells listen or not, keeps
// finished cells, in the ledger too, and goes on when it is run again.
func TestInterrupt(t *testing.T) {
	for _, mode := range []string{"slow", "stubborn"} {
		t.Run(mode, func(t *testing.T) {
			s, calls := probeSession(t, `"ok", "`+mode+`"`, 8*time.Second)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var before time.Time
			go func() {
				for calls.Load() < 4 && ctx.Err() == nil { // both workers are in their second fit
					time.Sleep(time.Millisecond)
				}
				before = time.Now()
				cancel()
			}()
			kept := filepath.Join(s.dir, "ledger")
			s.runContext(ctx, exitInterrupted, "-ledger", kept, "-workers", "2")
			if took := time.Since(before); took > 2*time.Second {
				t.Errorf("stopped after %s", took)
			}
			s.wantErr("interrupted: 2 cells are kept", "run the same command again")
			for _, r := range s.records() {
				if r.Status != record.OK && r.Status != record.Cancelled {
					t.Errorf("%v: %s", r.Params["mode"], r.Status)
				}
			}
			must.Check(t, calls.Load(), 4, "fits")
			must.Check(t, must.Get(ledger.Open(kept)).Len(), 2, "cells in the ledger")
			s.methods[len(s.methods)-1].Fit = probeOK
			s.run(exitOK).wantErr("2 done already, 2 to compute")
		})
	}
}

// TestInterruptKeepsResults: a cell that is computed again and interrupted keeps
// the number it had.
func TestInterruptKeepsResults(t *testing.T) {
	t.Parallel()
	s, _ := probeSession(t, `"slow"`, time.Minute)
	quick := s.methods[len(s.methods)-1]
	quick.Fit = probeOK
	slow := s.methods[len(s.methods)-1]
	s.methods[len(s.methods)-1] = quick
	s.run(exitOK)
	want := s.results()
	s.methods[len(s.methods)-1] = slow
	ctx, cancel := context.WithTimeoutCause(context.Background(), 200*time.Millisecond, context.Canceled)
	defer cancel()
	s.runContext(ctx, exitInterrupted, "-force")
	s.same(want)
}
