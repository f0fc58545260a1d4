package reports

import "math"

// comparable returns the configurations among which a choice is fair: those
// with all their seeds or, where none has, those with the most seeds. A mean
// over fewer seeds scatters more, and the best of many would often be one.
func comparable(configs []*configuration) []*configuration {
	most := 0
	anyComplete := false
	for _, c := range configs {
		most = max(most, c.done)
		anyComplete = anyComplete || c.complete() && c.done > 0
	}
	var out []*configuration
	for _, c := range configs {
		switch {
		case c.done == 0:
		case anyComplete && c.complete(), !anyComplete && c.done == most:
			out = append(out, c)
		}
	}
	return out
}

// best returns the configuration with the largest value of of, the first of
// those on a tie, and how many tie with it. NaN takes no part; nil if all are.
func best(configs []*configuration, of func(*configuration) float64) (chosen *configuration, ties int) {
	top := math.NaN()
	for _, c := range configs {
		switch v := of(c); {
		case math.IsNaN(v):
		case chosen == nil || v > top:
			chosen, top, ties = c, v, 0
		case v == top:
			ties++
		}
	}
	return chosen, ties
}

// oracle is the paper's choice: the configuration with the highest mean Rand
// Index. It is made with the labels.
func oracle(configs []*configuration) *configuration {
	c, _ := best(comparable(configs), meanRI)
	return c
}

func meanRI(c *configuration) float64 { return c.mean("ri") }

// mean is the mean of a score over seeds, NaN where there is none.
func (c *configuration) mean(name string) float64 {
	if s := c.stat(name, 1); s.n > 0 {
		return s.mean
	}
	return math.NaN()
}

// labelFree chooses without labels. Configurations that differ in alpha alone
// are compared by the mean objective, and the lowest is kept (the paper's
// rule; the objective says nothing between different numbers of atoms or
// lambdas). Among those kept, the most stable one is chosen: the highest mean
// adjusted Rand Index between the clusterings of its seeds. Ties go to the
// first in the order of the parameters. The reason is "", or says why there is
// no choice or why some configurations took no part.
func labelFree(configs []*configuration) (chosen *configuration, ties int, reason string) {
	var order []string
	byRest := map[string][]*configuration{}
	for _, c := range configs {
		key := c.key(paramAlpha)
		if byRest[key] == nil {
			order = append(order, key)
		}
		byRest[key] = append(byRest[key], c)
	}
	var kept []*configuration
	for _, key := range order {
		fair := comparable(byRest[key])
		if len(byRest[key]) == 1 {
			kept = append(kept, fair...)
			continue
		}
		c, _ := best(fair, func(c *configuration) float64 { return -c.mean("objective") })
		if c != nil {
			kept = append(kept, c)
		} else if len(fair) > 0 {
			reason = "no mean objective to choose alpha by"
		}
	}
	kept = comparable(kept)
	if len(kept) == 0 {
		return nil, 0, reason
	}
	if len(kept) == 1 {
		return kept[0], 0, reason
	}
	chosen, ties = best(kept, func(c *configuration) float64 { return c.stability })
	if chosen == nil {
		return nil, 0, "stability needs the clusterings of two seeds"
	}
	return chosen, ties, reason
}
