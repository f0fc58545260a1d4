//go:build unix

package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ogdl/internal/disk"
	"ogdl/internal/test/must"
	"ogdl/reports"
)

var kills = flag.Int("kills", 6, "how often TestKilled kills the program")

// The instants at which the program is killed.
const (
	killEarly  = "before the first cell"
	killMiddle = "among the cells"
	killLate   = "when all cells were there" // looking them up, or ahead of the tables
	killRender = "among tables, figures and pages"
)

// killRound is how many kills one folder takes.
const killRound = 12

// TestKilled kills the program (SIGKILL) at random instants and runs it again, until it
// ends by itself: nothing that was done is lost or computed twice, nothing is
// there in half, and in the end nothing tells the folder from one that saw no kill.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program again and again")
	}
	reference := newSession(t, killable)
	reference.oldReport()
	old := reference.results()
	reference.run(exitOK)
	want := reference.results()

	var mu sync.Mutex
	when, leftovers, rounds := map[string]int{}, 0, 0
	t.Run("rounds", func(t *testing.T) {
		for from := 0; from < *kills; from += killRound {
			t.Run(fmt.Sprint(from/killRound), func(t *testing.T) {
				t.Parallel()
				k := &killing{session: newSession(t, killable), rng: rand.New(rand.NewPCG(uint64(from), 6)), old: old, want: want, when: map[string]int{}}
				k.round(min(killRound, *kills-from))
				mu.Lock()
				defer mu.Unlock()
				for what, n := range k.when {
					when[what] += n
				}
				leftovers += k.leftovers
				rounds++
			})
		}
	})
	total := 0
	for _, n := range when {
		total += n
	}
	t.Logf("%d kills of %d folders %v; %d temporary files were left and swept", total, rounds, when, leftovers)
	if *kills >= 50 {
		for _, what := range []string{killEarly, killMiddle, killLate, killRender} {
			if when[what] == 0 {
				t.Errorf("no kill %s", what)
			}
		}
		if leftovers == 0 {
			t.Error("no process was killed while it wrote")
		}
	}
	must.Check(t, total, *kills, "kills")
}

// killing is a folder whose runs are killed.
type killing struct {
	*session
	rng       *rand.Rand
	old, want map[string]string
	when      map[string]int
	leftovers int
}

// oldReport leaves the report of one cell without its record: the files that the runs to be killed
// will replace.
func (s *session) oldReport() {
	s.t.Helper()
	s.run(exitOK, "-filter", "method=GDL lambda=0 repetition=0")
	s.run(exitOK, "-report")
	must.Do(s.t, os.RemoveAll(filepath.Join(s.dir, "out", "store")))
}

// round kills n runs and lets the last one end.
func (k *killing) round(n int) {
	k.oldReport()
	// Most of the kills while cells are missing, the rest when all are there. A run that
	// ends before its kill is run again: then all cells are there.
	aims := make([]string, n)
	for i := range aims {
		aims[i] = []string{killMiddle, killRender, killEarly, killMiddle, killLate, killMiddle, killRender, killMiddle}[i%8]
	}
	rank := map[string]int{killEarly: 0, killMiddle: 0, killLate: 1, killRender: 1}
	slices.SortStableFunc(aims, func(a, b string) int { return rank[a] - rank[b] })
	for _, aim := range aims {
		for tries := 0; !k.kill(aim, tries); tries++ {
			if tries == 20 {
				k.t.Fatalf("20 runs ended before they could be killed %s", aim)
			}
		}
	}
	before := k.look()
	last := k.start("-workers", "2")
	if code := last.wait(); code != exitOK {
		k.t.Fatalf("exit code %d\n%s", code, last.output())
	}
	k.compare(before, k.look())
	k.same(k.want)
	for _, r := range k.records() {
		if timing, err := k.store().Timing(r.ID); timing == nil {
			k.t.Errorf("timing of %s: %v", r.ID, err)
		}
	}
}

// kill starts a run and kills it; false if it ended before. The more tries, the sooner.
func (k *killing) kill(aim string, tries int) bool {
	k.t.Helper()
	before := k.look()
	c := k.start("-workers", []string{"1", "2", "8"}[k.rng.IntN(3)])
	// reached reports whether the run has come to where it is to be killed; then it
	// goes on for a random while.
	reached := func() bool { return true }
	var most time.Duration
	switch aim {
	case killEarly:
		most = 40 * time.Millisecond
	case killMiddle:
		goal := before.stored() + k.rng.IntN(1+min(8, k.storedInTheEnd()-before.stored()))
		reached = func() bool { return k.written() >= goal }
		most = 3 * time.Millisecond
	case killLate:
		most = 80 * time.Millisecond
	case killRender:
		reached = func() bool { // the first new file is written beside its place
			return slices.ContainsFunc(k.files("out/grid/"+disk.TempPrefix+"*"), func(path string) bool {
				return before[filepath.Join("grid", filepath.Base(path))] == nil
			})
		}
		most = 60 * time.Millisecond
	}
	for !reached() && !c.ended() {
		time.Sleep(200 * time.Microsecond)
	}
	time.Sleep(time.Duration(k.rng.Int64N(int64(most >> tries))))
	if err := c.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		k.t.Fatal(err)
	}
	switch code := c.wait(); code {
	case exitOK: // it was faster
		k.compare(before, k.look())
		return false
	case -1:
	default:
		k.t.Fatalf("exit code %d\n%s", code, c.output())
	}
	after := k.look()
	k.compare(before, after)
	switch {
	case after.rendered(before):
		k.when[killRender]++
	case after.stored() == k.storedInTheEnd():
		k.when[killLate]++
	case after.stored() > before.stored():
		k.when[killMiddle]++
	default:
		k.when[killEarly]++
	}
	return true
}

// written counts the files of records and blocks, without their timings.
func (k *killing) written() int {
	n := 0
	for _, pattern := range []string{"*/*.json", "*/*.npz", "products/*/*/*.npz", "products/*/*/head.json"} {
		n += len(slices.DeleteFunc(k.stored(pattern), func(path string) bool { return strings.Contains(path, "timing") }))
	}
	return n
}

func (k *killing) storedInTheEnd() int {
	n := 0
	for name := range k.want {
		if ofCell(name) {
			n++
		}
	}
	return n
}

// sight is what a folder holds at an instant: every file by its name below out.
type sight map[string]fs.FileInfo

func (v sight) stored() int {
	n := 0
	for name := range v {
		if ofCell(name) && !unpromised(name) && !temporary(name) {
			n++
		}
	}
	return n
}

// rendered reports whether writing tables, figures or pages has begun since another sight.
func (v sight) rendered(since sight) bool {
	for name, info := range v {
		if !strings.HasPrefix(name, "store") && !os.SameFile(info, since[name]) {
			return true
		}
	}
	return false
}

func temporary(name string) bool { return strings.HasPrefix(filepath.Base(name), disk.TempPrefix) }

func (k *killing) look() sight {
	k.t.Helper()
	out := sight{}
	root := filepath.Join(k.dir, "out")
	must.Do(k.t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(root, path)
		out[name], err = d.Info()
		return err
	}))
	return out
}

// compare checks what a run has left, against what was there before it.
func (k *killing) compare(before, after sight) {
	k.t.Helper()
	for name := range after {
		if temporary(name) && before[name] == nil {
			k.leftovers++
		}
	}
	// Whatever was there stays, the very file: it was not written again. An npz without its record is swept.
	for name, info := range before {
		if !strings.HasPrefix(name, "store") || temporary(name) || unpromised(name) {
			continue
		}
		switch id, _, waits := strings.Cut(filepath.Base(name), "-"); {
		case waits && !strings.Contains(name, "products") && before[filepath.Join(filepath.Dir(name), id+".json")] == nil:
		case after[name] == nil:
			k.t.Errorf("%s is lost", name)
		case !os.SameFile(info, after[name]):
			k.t.Errorf("%s was written again", name)
		}
	}
	k.whole()
}

// whole checks that all that is there is there in full.
func (k *killing) whole() {
	k.t.Helper()
	store := k.store()
	for _, id := range must.Get(store.List()) {
		if r, err := store.Get(id); r == nil {
			k.t.Errorf("%s: %v", id, err)
		}
		if _, err := store.Timing(id); err != nil {
			k.t.Errorf("timing of %s: %v", id, err)
		}
	}
	for _, p := range must.Get(store.Products()) {
		must.Do(k.t, must.Err(store.Product(p.ID)))
		for b := range scBlocks {
			must.Do(k.t, must.Err(store.Block(p.ID, b)))
			must.Do(k.t, must.Err(store.BlockTiming(p.ID, b)))
		}
	}
	// Tables, figures and pages are those of before or those of the end.
	now := k.results()
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if strings.HasPrefix(name, "store") || temporary(name) || filepath.Base(name) == reports.SumsFile { // which may list both
			continue
		}
		text := now[name]
		if text != k.want[name] && text != k.old[name] {
			k.t.Errorf("%s (%d bytes) is neither that of before nor that of the end", name, len(text))
		}
	}
}
