package run

import (
	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/spec"
	"slices"
	"testing"
)

// TestQueueLeavesThoseThatWait: a cell that would wait comes when it need not, or when all others would wait too.
func TestQueueLeavesThoseThatWait(t *testing.T) {
	t.Parallel()
	cells := exptest.Parse(t, exptest.Tiny).Cells()
	waiting := map[*spec.Cell]bool{cells[0]: true, cells[1]: true}
	q := &queue{cells: slices.Clone(cells), waits: func(c *spec.Cell) bool { return waiting[c] }}
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
