package gdl

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ogdl/ot/gw"
)

// Start names a coupling that an unmixing starts from, at uniform weights.
type Start string

// Starts of an unmixing.
const (
	// StartProduct is the product coupling p q', the paper's start.
	StartProduct Start = "product"
	// StartSorted matches the nodes of the graph and of the model in the order of their
	// strengths C p and Ct q: the weakest with the weakest. Features are not looked at.
	// Nodes of equal strength keep their order.
	StartSorted Start = "sorted"
	// StartReverse matches them the other way: the strongest of the graph with the weakest
	// of the model.
	StartReverse Start = "reverse"
)

var allStarts = [...]Start{StartProduct, StartSorted, StartReverse}

// Starts lists the names of all starts.
func Starts() []Start { return slices.Clone(allStarts[:]) }

// checkStarts returns an error for a bad list of starts.
func checkStarts(starts []Start) error {
	for k, s := range starts {
		switch {
		case !slices.Contains(allStarts[:], s):
			return fmt.Errorf("gdl: unknown start %q, expected %q, %q or %q", s, StartProduct, StartSorted, StartReverse)
		case slices.Contains(starts[:k], s):
			return fmt.Errorf("gdl: start %q is listed twice, expected different ones", s)
		}
	}
	if starts[0] != StartProduct {
		return fmt.Errorf("gdl: the first start is %q, expected %q", starts[0], StartProduct)
	}
	return nil
}

// A start after the first is on trial: it makes trialSteps steps with its coupling and one with the
// weights. It continues if its objective is then at most 1 % (behind) above the objective of the
// best start after one round. In later rounds it must be at least 0.1 % (ahead) below. So a start
// that leads to a minimum which is known costs little. (Shares of the objective's absolute value.)
const (
	trialSteps = 5
	behind     = 0.01
	ahead      = 0.001
)

// race runs the descents of a graph from the starts one after the other and returns the one that
// ends lowest, the first of equals, with the counts of all.
func race(ctx context.Context, runs []*descent, g *gw.Space, opt *UnmixSettings) (best int, err error) {
	var sum Embedding
	for k, start := range opt.Starts {
		if start == StartSorted && runs[0].solver.PassedSorted() {
			continue // the first start has been there
		}
		r, lead := runs[k], runs[best]
		if err := r.begin(g, start, opt); err != nil {
			return 0, err
		}
		for {
			trial, rules := k > 0 && len(r.values) == 0, opt.GW
			if trial && (rules.MaxIter <= 0 || rules.MaxIter > trialSteps) {
				rules.MaxIter = trialSteps
			}
			done, err := r.round(ctx, g, opt, rules)
			if err != nil {
				return 0, err
			}
			if trial {
				r.e.CapHits = 0 // the cap is the trial's
			}
			if done || k > 0 && !r.hopeful(lead) {
				break
			}
		}
		sum.add(&r.e)
		if r.last() < lead.last() {
			best = k
		}
		if sum.Status == Cancelled {
			break
		}
	}
	e := &runs[best].e
	e.Solves, e.Iterations, e.CapHits = sum.Solves, sum.Iterations, sum.CapHits
	if sum.Status == Cancelled {
		e.Status = Cancelled
	}
	return best, nil
}

// last returns the objective after the last round.
func (u *descent) last() float64 { return u.values[len(u.values)-1] }

// hopeful reports whether a descent may still end below lead.
func (u *descent) hopeful(lead *descent) bool {
	k := len(u.values) - 1
	l := lead.values[min(k, len(lead.values)-1)]
	margin := -ahead
	if k == 0 {
		margin = behind
	}
	return u.values[k] <= l+float64(margin*math.Abs(l))
}

// add adds the counts of another start.
func (e *Embedding) add(o *Embedding) {
	e.Solves += o.Solves
	e.Iterations += o.Iterations
	e.CapHits += o.CapHits
	if o.Status == Cancelled {
		e.Status = Cancelled
	}
}
