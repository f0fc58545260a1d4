package gwf

import (
	"context"
	"math"
	"slices"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// supervised is a learner of six graphs, of which one has no class, with three classes and their couplings found.
func supervised(t *testing.T, balanced bool) (*learner, []int) {
	t.Helper()
	rng := source(91)
	graphs := randomGraphs(rng, 6, 4, 7, 2)
	set := &Settings{Batch: 6, Supervision: &Supervision{Classes: []int{2, 0, Unlabelled, 1, 0, 0}, Hidden: 5, Weight: 0.7, Balanced: balanced}}
	opt := must.Get(set.resolve())
	l := must.Get(newLearner(graphs, must.Get(InitRandomOrder(graphs, 3, 0.5, rng)), &opt, rng))
	return l, []int{4, 2, 0, 5, 3, 1}
}

// TestGradientOfSupervision compares the gradients of the whole loss, in z and in the network, with difference quotients at
// fixed couplings.
func TestGradientOfSupervision(t *testing.T) {
	for _, balanced := range []bool{false, true} {
		l, index := supervised(t, balanced)
		n, K := l.class, l.m.K()
		fits := make([]fit, len(index))
		w, half := make([]float64, K), make([]float64, K)
		for k, i := range index {
			softmax(l.z[i*K:(i+1)*K], w)
			fits[k].use(l.fits[0].atoms)
			must.Do(t, fits[k].prepare(context.Background(), l.graphs[i], w, &l.opt.Transport, nil))
		}
		loss := func() float64 {
			sum := n.gradient(index, l.z, K)
			for k, i := range index {
				softmax(l.z[i*K:(i+1)*K], w)
				sum += fits[k].loss(w, half)
			}
			return sum
		}
		check := func(what string, x *float64, got float64) {
			t.Helper()
			const step = 1e-5
			old := *x
			*x = old + step
			up := loss()
			*x = old - step
			down := loss()
			*x = old
			want := (up - down) / (2 * step)
			must.Within(t, got, want, 1e-6*(1+math.Abs(want)), "%s: gradient, and difference quotient", what)
		}
		loss()
		network, dz := slices.Clone(n.grad), make([][]float64, len(index))
		for r, place := range n.labelled {
			l.slots[place].class = slices.Clone(n.dz[r*n.k:][:K])
		}
		for k, i := range index {
			s := &l.slots[k]
			softmax(l.z[i*K:(i+1)*K], s.w)
			fits[k].loss(s.w, s.half)
			s.pull()
			dz[k] = s.dz
		}
		for e := range n.x {
			check("network", &n.x[e], network[e])
		}
		for k, i := range index {
			for e := range K {
				check("z", &l.z[i*K+e], dz[k][e])
			}
		}
	}
}

// TestClassWeights: balanced classes weigh alike, whatever their size; else graphs do.
func TestClassWeights(t *testing.T) {
	l, _ := supervised(t, true)
	must.Near(t, "balanced", l.class.weights, []float64{0.7 * 5 / 9, 0.7 * 5 / 3, 0.7 * 5 / 3}, 1e-12)
	l, _ = supervised(t, false)
	must.Same(t, l.class.weights, []float64{0.7, 0.7, 0.7}, "weights")
}

// cliquesAndStars are two planted classes, of which every fourth graph has no class; truth has them all.
func cliquesAndStars() (graphs []*gw.Space, classes, truth []int) {
	for i := range 40 {
		n := 5 + i%4
		c := make([]float64, n*n)
		for a := range n {
			for b := range n {
				if a != b && (i%2 == 0 || a == 0 || b == 0) {
					c[a*n+b] = 1
				}
			}
		}
		graphs, truth = append(graphs, must.Get(gw.NewSpace(c, nil, n, 0, nil))), append(truth, i%2)
		if i%4 < 2 && i%8 < 2 {
			classes = append(classes, Unlabelled)
		} else {
			classes = append(classes, i%2)
		}
	}
	return graphs, classes, truth
}

// TestPlantedClasses: graphs without a class get the right one; what is handed back belongs to one epoch; nothing depends on
// workers, and the classes of the labelled graphs matter.
func TestPlantedClasses(t *testing.T) {
	graphs, classes, truth := cliquesAndStars()
	init := must.Get(InitRandomOrder(graphs, 4, 1, source(92)))
	swapped := make([]int, len(truth))
	for i, c := range truth {
		swapped[i] = 1 - c
	}
	for _, adam := range []ZAdam{Dense, Visited} {
		train := func(workers int, classes []int) *Training {
			return must.Get(Train(context.Background(), graphs, init, &Settings{Epochs: 12, Batch: 8, ZAdam: adam, Workers: workers,
				Supervision: &Supervision{Classes: classes}}, source(93)))
		}
		one, three := train(1, classes), train(3, classes)
		must.Same(t, three, one, "%s: training with 3 workers", adam)
		must.Same(t, archive(t, three.Model), archive(t, one.Model), "%s: bytes with 3 workers", adam)
		wrong, labelled := 0, 0
		for i, c := range one.Predicted {
			switch {
			case classes[i] == Unlabelled && c != truth[i]:
				wrong++
			case classes[i] == c:
				labelled++
			}
		}
		if wrong > 0 {
			t.Errorf("%s: %d of 10 unlabelled graphs have a wrong class", adam, wrong)
		}
		if len(one.Right) != 12 || one.Right[one.Epoch] != labelled || slices.Max(one.Right) != labelled ||
			slices.Contains(one.Right[one.Epoch+1:], labelled) {
			t.Errorf("%s: epoch %d of %v, with %d labelled graphs right", adam, one.Epoch, one.Right, labelled)
		}
		if other := train(1, swapped); slices.Equal(other.Z, one.Z) {
			t.Errorf("%s: classes do not matter", adam)
		}
	}
}

func TestSupervisionErrors(t *testing.T) {
	graphs := randomGraphs(source(94), 4, 3, 5, 0)
	init := must.Get(InitRandomOrder(graphs, 2, 1, source(95)))
	for want, s := range map[string]Supervision{
		"3 classes of 4 graphs":                    {Classes: []int{0, 1, 0}},
		"the class of graph 2 is 4":                {Classes: []int{0, 1, 4, 0}},
		"the class of graph 1 is -2":               {Classes: []int{0, -2, 1, 0}},
		"have 1 classes, expected two at least":    {Classes: []int{1, Unlabelled, 1, 1}},
		"have 0 classes":                           {Classes: []int{Unlabelled, Unlabelled, Unlabelled, Unlabelled}},
		"Hidden is -1":                             {Classes: []int{0, 1, 0, 1}, Hidden: -1},
		"Weight is -2":                             {Classes: []int{0, 1, 0, 1}, Weight: -2},
		"Weight is NaN":                            {Classes: []int{0, 1, 0, 1}, Weight: math.NaN()},
		"Step +Inf, expected finite numbers > 0, ": {Classes: []int{0, 1, 0, 1}, Step: math.Inf(1)},
	} {
		must.Fail(t, must.Err(Train(context.Background(), graphs, init, &Settings{Supervision: &s}, source(96))), want)
	}
}
