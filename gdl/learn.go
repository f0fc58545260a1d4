package gdl

import (
	"cmp"
	"context"
	"math/rand/v2"

	"ogdl/ot/gw"
)

// Settings says how Learn starts a dictionary and trains it. A nil *Settings means the defaults,
// and so does a field that is zero.
type Settings struct {
	TrainSettings
	// Alpha weighs structure against features, in (0, 1]. Default 0.5; 1 without features. For
	// alpha 0 call Init.Dictionary and Train.
	Alpha float64
	// Init is the start of the atoms. Default SampleInit.
	Init Init
	// Classes are the graphs' classes, 0 and on, for SamplePerClassInit alone.
	Classes []int
	// NodeWeights gives the atoms node weights of their own (see Extend).
	NodeWeights bool
}

// Learn starts a dictionary of so many atoms of one order and trains it on the graphs: Init, Extend
// where asked, and [Train] in one call. Errors are theirs.
func Learn(ctx context.Context, graphs []*gw.Space, atoms, order int, set *Settings, rng *rand.Rand) (*Training, error) {
	s := *cmp.Or(set, &Settings{})
	s.Init = cmp.Or(s.Init, SampleInit)
	if s.Alpha == 0 {
		s.Alpha = 1
		if len(graphs) > 0 && graphs[0] != nil && graphs[0].D() > 0 {
			s.Alpha = 0.5
		}
	}
	start, notes, err := s.Init.Dictionary(graphs, s.Classes, atoms, order, s.Alpha, rng)
	if err == nil && s.NodeWeights {
		start, err = Extend(start, rng)
	}
	if err != nil {
		return nil, err
	}
	t, err := Train(ctx, graphs, start, &s.TrainSettings, rng)
	if t != nil {
		t.Notes = notes
	}
	return t, err
}
