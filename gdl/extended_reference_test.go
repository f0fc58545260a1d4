package gdl_test

import (
	"context"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// extendedFile is the part of misc.json on node weights.
type extendedFile struct {
	Extended struct {
		H    matrix `json:"hs"`
		Rows []struct {
			Graph    int
			Released struct {
				True float64 `json:"true_gw_at_returned"`
			} `json:"released_bcd"`
		}
	} `json:"extended_h"`
}

// The released scheme reports values of couplings that do not have the weights it
// returns; the true ones have mean 0.1137. Ours are true, and lower.
func TestReferenceExtendedUnmixing(t *testing.T) {
	var f extendedFile
	sharedtest.JSON(t, "misc.json", &f)
	var stored unmixingFile
	sharedtest.JSON(t, "unmixing_MUTAG.json", &stored)
	d := must.Get(gdl.Extend(stored.dictionary("smooth", 1), source(1)))
	for s := range d.H {
		d.H[s] = f.Extended.H[s]
	}
	graphs := mutag(t, false)
	u := must.Get(gdl.NewUnmixer(d))
	var ours, theirs float64
	for _, r := range f.Extended.Rows {
		e := must.Get(u.Unmix(context.Background(), graphs[r.Graph], nil))
		at := gw.Objective(graphs[r.Graph], must.Get(d.Model(e.W, e.V)), 1, e.T)
		must.Within(t, e.Objective, at, 1e-9, "graph %d: objective, and at the coupling", r.Graph)
		ours += e.Objective
		theirs += r.Released.True
	}
	if n := float64(len(f.Extended.Rows)); !(ours < theirs) || !(ours/n < 0.1137) {
		t.Errorf("mean objective %v, want below the released scheme's true %v", ours/n, theirs/n)
	}
}
