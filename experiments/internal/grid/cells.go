package grid

import (
	"ogdl/experiments/internal/spec"
	"strings"
)

// Cells expands the configuration: blocks in order, then data set and parameters,
// then seeds, then repetitions. The cells of a configuration follow each other, and one that two blocks
// share appears once.
func (c *Config) Cells() []*spec.Cell {
	var out []*spec.Cell
	seen := map[string]bool{}
	for _, b := range c.blocks {
		seeds, repetitions := c.Seeds, c.Repetitions
		if b.method.Once {
			seeds, repetitions = []int64{0}, 1
		}
		for _, s := range b.combinations {
			x := spec.Cell{Method: b.method, Dataset: s.dataset, Params: s.params}
			if path, isOwn := strings.CutPrefix(s.dataset, pathPrefix); isOwn {
				x.Own = c.folder(path, s.params.Text(spec.EdgeWeightsKey))
				x.Dataset = x.Own.Name
			}
			same := make([]spec.Cell, 0, len(seeds)*repetitions)
			content := x.Content() // of all, but for seeds and repetitions
			for _, x.Seed = range seeds {
				for x.Repetition = range repetitions {
					x.IdentifyBy(content)
					same = append(same, x)
				}
			}
			if seen[same[0].ID] { // then all are
				continue
			}
			seen[same[0].ID] = true
			for i := range same {
				out = append(out, &same[i])
			}
		}
	}
	return out
}
