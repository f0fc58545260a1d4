package run

import (
	"slices"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/test/must"
)

// TestQueueLeavesThoseThatWait: a cell that would wait comes when it need not, or when all others would wait too.
func TestQueueLeavesThoseThatWait(t *testing.T) {
	t.Parallel()
	cells := exptest.Parse(t, exptest.Tiny).Cells()
	waiting := map[*spec.Cell]bool{cells[0]: true, cells[1]: true}
	q := &queue{cells: slices.Clone(cells), waits: func(c *spec.Cell) bool { return waiting[c] }}
	must.Check(t, q.next(), cells[2], "comes first")
	delete(waiting, cells[1])
	must.Check(t, q.next(), cells[1], "comes second")
	for range len(cells) - 3 {
		if q.next() == cells[0] {
			t.Error("a cell that waits came before others")
		}
	}
	if q.next() != cells[0] || q.next() != nil {
		t.Error("the cell that waits is lost")
	}
}
