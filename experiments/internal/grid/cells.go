package grid

import (
	"cmp"

	"ogdl/experiments/internal/spec"
)

// repetitions is how often the block repeats a configuration.
func (c *Config) repetitions(b *block) int { return cmp.Or(b.repetitions, c.Repetitions) }

// Behind returns the number of the first repetition that no block has.
func (c *Config) Behind() int {
	most := c.Repetitions
	for i := range c.blocks {
		most = max(most, c.blocks[i].repetitions)
	}
	return most
}

// Cells expands the configuration: blocks in order, then data set and parameters, then seeds, then
// repetitions. The cells of a setting are adjacent. A setting in two blocks appears once, with the
// larger number of repetitions.
func (c *Config) Cells() []*spec.Cell {
	var groups [][]spec.Cell
	at := map[string]int{}
	settings := 0
	for _, b := range c.blocks {
		seeds, repetitions := c.Seeds, c.repetitions(&b)
		if b.method.Once {
			seeds, repetitions = []int64{0}, 1
		}
		for _, x := range b.settings {
			x.Setting = settings
			settings++
			same := make([]spec.Cell, 0, len(seeds)*repetitions)
			content := x.Content() // of all, but for seeds and repetitions
			for _, x.Seed = range seeds {
				for x.Repetition = range repetitions {
					x.IdentifyBy(content)
					same = append(same, x)
				}
			}
			g, seen := at[same[0].ID]
			switch {
			case !seen:
				at[same[0].ID] = len(groups)
				groups = append(groups, same)
			case len(same) > len(groups[g]):
				groups[g] = same
			}
		}
	}
	var out []*spec.Cell
	for _, same := range groups {
		for i := range same {
			out = append(out, &same[i])
		}
	}
	return out
}
