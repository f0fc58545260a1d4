package run

import (
	"context"
	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/spec"
	"slices"
	"strings"
	"testing"
)

// TestQueue: a run that is alone takes its cells in their order; shuffled, nothing is lost or
// comes twice, and cells on one matrix of distances stay together.
func TestQueue(t *testing.T) {
	t.Parallel()
	config := strings.Replace(exptest.Tiny, "repetitions = 2", "repetitions = 9", 1)
	cells := exptest.Parse(t, config+strings.TrimPrefix(exptest.Sc, exptest.Sc[:strings.Index(exptest.Sc, "[[grid]]")])).Cells()
	drain := func(q *queue) (out []*spec.Cell) {
		for c := q.next(); c != nil; c = q.next() {
			out = append(out, c)
		}
		return out
	}
	if got := drain(newQueue(cells, 1)); !slices.Equal(got, cells) {
		t.Error("another order without a reason")
	}
	orders := map[string]bool{}
	for seed := range uint64(5) {
		q := newQueue(cells, seed)
		first := q.next()
		q.shuffle()
		after := slices.Clone(q.cells)
		q.shuffle()
		if !slices.Equal(after, q.cells) {
			t.Error("shuffled twice")
		}
		got := append([]*spec.Cell{first}, drain(q)...)
		seen, order, switches := map[string]bool{}, "", 0
		for i, c := range got {
			seen[c.ID] = true
			order += c.ID
			if i > 0 && c.Shared() != got[i-1].Shared() {
				switches++
			}
		}
		if len(got) != len(cells) || len(seen) != len(cells) {
			t.Errorf("%d cells, %d different ones, want %d", len(got), len(seen), len(cells))
		}
		if switches > 2 {
			t.Errorf("the cells on one matrix are in %d pieces", switches)
		}
		orders[order] = true
	}
	if len(orders) != 5 {
		t.Errorf("%d orders of five seeds", len(orders))
	}
}

// TestPutOff: a cell that another process computes comes last, and nobody waits long for it
// while there is other work or when the run ends.
func TestPutOff(t *testing.T) {
	t.Parallel()
	cells := exptest.Parse(t, exptest.Tiny).Cells()
	q := newQueue(cells, 1)
	first := q.next()
	q.putOff(context.Background(), first)
	for i := range cells {
		c := q.next()
		if (c == first) != (i == len(cells)-1) {
			t.Errorf("cell %d of %d: the one put off: %v", i, len(cells), c == first)
		}
		q.taken()
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for range 1000 {
		q.putOff(ctx, first)
		if q.next() != first {
			t.Fatal("lost")
		}
	}
}

// TestQueueLeavesThoseThatWait: a cell that would wait comes when it need not, or when all others would wait too.
func TestQueueLeavesThoseThatWait(t *testing.T) {
	t.Parallel()
	cells := exptest.Parse(t, exptest.Tiny).Cells()
	waiting := map[*spec.Cell]bool{cells[0]: true, cells[1]: true}
	q := newQueue(cells, 1)
	q.waits = func(c *spec.Cell) bool { return waiting[c] }
	if got := q.next(); got != cells[2] {
		t.Errorf("%s comes first", got)
	}
	delete(waiting, cells[1])
	if got := q.next(); got != cells[1] {
		t.Errorf("%s comes second", got)
	}
	for range len(cells) - 3 {
		if q.next() == cells[0] {
			t.Error("a cell that waits came before others")
		}
	}
	if q.next() != cells[0] || q.next() != nil {
		t.Error("the cell that waits is lost")
	}
}

func TestSpread(t *testing.T) {
	c := exptest.Parse(t, strings.Replace(exptest.Tiny, "[[grid]]", strings.Split(exptest.Sc, "repetitions = 2\n")[1]+"[[grid]]", 1))
	cells := c.Cells()
	spread(cells)
	var got []string
	for _, x := range cells {
		got = append(got, x.Method.Name+spec.Short(x.Params.Number("gamma")))
	}
	const want = "SC1 SC16 SC1 SC16 SC1 SC16 SC1 SC16 GDL0 GDL0 GDL0 GDL0"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("order %s, want %s", s, want)
	}
}
