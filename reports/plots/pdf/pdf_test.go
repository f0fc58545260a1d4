package pdf

import (
	"testing"

	"gonum.org/v1/plot/vg"
)

// TestChained: every line is drawn once, whichever way, and what is no line stays.
func TestChained(t *testing.T) {
	type line struct{ a, b vg.Point }
	linesOf := func(p vg.Path) map[line]int {
		out := map[line]int{}
		for i, s := range p {
			if s.Type == vg.LineComp {
				a, b := p[i-1].Pos, s.Pos
				if a.X > b.X || a.X == b.X && a.Y > b.Y {
					a, b = b, a
				}
				out[line{a, b}]++
			}
		}
		return out
	}
	var p vg.Path
	for i := range 9 {
		for j := range i {
			p.Move(vg.Point{X: vg.Length(j), Y: vg.Length(j * j)})
			p.Line(vg.Point{X: vg.Length(i), Y: vg.Length(i * i)})
		}
	}
	p.Move(vg.Point{X: 3, Y: 3}) // a line without length
	p.Line(vg.Point{X: 3, Y: 3})
	got, want := chained(p), linesOf(p)
	if found := linesOf(got); len(found) != len(want) || len(want) != 37 || len(got) > 45 {
		t.Errorf("%d lines of %d in %d steps", len(found), len(want), len(got))
	} else {
		for l, n := range want {
			if found[l] != n {
				t.Errorf("%v is drawn %d times", l, found[l])
			}
		}
	}
	p.Line(vg.Point{X: 1})
	if len(chained(p)) != len(p) {
		t.Error("a path of longer lines is changed")
	}
}
