package main

import "strings"

// cells expands the configuration: blocks in order, then data set and parameters,
// then seeds, then repetitions. The cells of a configuration follow each other, and one that two blocks
// share appears once.
func (c *config) cells() []*cell {
	var out []*cell
	seen := map[string]bool{}
	for _, b := range c.blocks {
		seeds, repetitions := c.seeds, c.repetitions
		if b.method.once {
			seeds, repetitions = []int64{0}, 1
		}
		for _, s := range b.combinations {
			x := cell{method: b.method, dataset: s.dataset, params: s.params}
			if path, isOwn := strings.CutPrefix(s.dataset, pathPrefix); isOwn {
				x.own = c.folder(path, s.params.text(edgeWeightsKey))
				x.dataset = x.own.name
			}
			same := make([]cell, 0, len(seeds)*repetitions)
			content := x.content() // of all, but for seeds and repetitions
			for _, x.seed = range seeds {
				for x.repetition = range repetitions {
					x.identifyBy(content)
					same = append(same, x)
				}
			}
			if seen[same[0].id] { // then all are
				continue
			}
			seen[same[0].id] = true
			for i := range same {
				out = append(out, &same[i])
			}
		}
	}
	return out
}
