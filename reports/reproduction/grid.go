package reproduction

import "ogdl/reports/summary"

// grid is what of the paper's grid has run for a number.
type grid int

const (
	wholeGrid grid = iota
	partGrid       // some of its configurations
	smallGrid      // a small one in its place
)

var grids = []grid{wholeGrid, partGrid, smallGrid}

// gridOf is the grid of a row of a configuration.
func gridOf(p *Part, row *summary.Row) grid {
	switch {
	case p.Small:
		return smallGrid
	case row.Complete < len(row.Configs):
		return partGrid
	}
	return wholeGrid
}

func (g grid) name() string {
	return []string{"the paper's grid", "a part of the paper's grid", "a small grid"}[g]
}

// cause is that of every number that does not hold on such a grid; "" of the whole one, where it is to be found. A part may lack the settings that hold, and
// a small grid trains otherwise, so that no other can be told apart.
func (g grid) cause() string { return []string{"", "part of the grid", "small grid"}[g] }

// may reports whether a reason of a number that does not hold on such a grid may have this cause.
func (g grid) may(cause string) bool {
	if g == wholeGrid {
		return cause != partGrid.cause() && cause != smallGrid.cause()
	}
	return cause == g.cause()
}

// of are those of the numbers that stand on such a grid.
func (g grid) of(numbers []*Number) (out []*Number) {
	for _, n := range numbers {
		if n.Grid == g {
			out = append(out, n)
		}
	}
	return out
}
