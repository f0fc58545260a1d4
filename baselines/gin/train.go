package gin

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"ogdl/internal/nn"
)

// Result is what training hands back.
type Result struct {
	// Model is the network after the last epoch.
	Model *Model
	// Loss[e] is the mean cross entropy of the graphs of epoch e, as its steps saw them: with
	// dropout, each before it was learned from.
	Loss []float64
	// Watched[e][i] is the class that the model tells for watched graph i at the end of epoch e.
	Watched [][]int
}

// Train learns to tell the classes of graphs, 0, 1, ..., as many as the largest says. After every
// epoch it predicts the classes of the graphs watched, which it never learns from (nil: there are
// none): whoever chooses an epoch by them can have its model by training for so many epochs with a
// source of the same seed, because no epoch depends on how many follow.
//
// Errors: no graphs, graphs that do not fit the description of Graph, classes that do not fit them
// or are all the same, a nil rng, bad settings, the end of the context, and an infinite loss.
func Train(ctx context.Context, graphs []Graph, classes []int, watched []Graph, set *Settings, rng *rand.Rand) (*Result, error) {
	t, err := newTraining(ctx, graphs, classes, watched, set, rng)
	if err != nil {
		return nil, err
	}
	for e := range t.Epochs {
		if err := t.run(ctx, e); err != nil {
			return nil, err
		}
	}
	return t.out, nil
}

// run makes an epoch and looks at the graphs watched.
func (t *training) run(ctx context.Context, e int) (err error) {
	if t.out.Loss[e], err = t.deck.Epoch(ctx, &t.schedule, e, t.learn); err != nil {
		if ctx.Err() == nil {
			err = fmt.Errorf("gin: %w", err)
		}
		return err
	}
	told := t.out.Watched[e][:0]
	return t.each(t.watched, func(row []float64) { told = append(told, nn.Best(row)) })
}

// training is a network in training.
type training struct {
	Settings
	*descent
	learned, watched *set
	schedule         nn.Schedule
	deck             *nn.Deck
	learn            func(batch, classes []int, rate float64) float64
	rng              *rand.Rand
	out              *Result
}

func newTraining(ctx context.Context, graphs []Graph, classes []int, watched []Graph, set *Settings, rng *rand.Rand) (*training, error) {
	s, err := set.resolve()
	switch {
	case err != nil:
		return nil, err
	case ctx == nil:
		return nil, errors.New("gin: ctx is nil, expected a context")
	case rng == nil:
		return nil, errors.New("gin: rng is nil, expected a source of random numbers")
	case len(graphs) == 0:
		return nil, errors.New("gin: graphs is empty, expected one at least")
	case len(classes) != len(graphs):
		return nil, fmt.Errorf("gin: %d classes, expected one for each of %d graphs", len(classes), len(graphs))
	}
	t := &training{Settings: s, rng: rng, deck: nn.NewDeck(classes, s.Batch, rng),
		schedule: nn.Schedule{Batch: s.Batch, Steps: s.Steps, Rate: s.Rate, HalveEvery: s.HalveEvery}}
	t.learn = func(batch, classes []int, rate float64) float64 {
		t.load(t.learned, batch)
		t.drop(t.Dropout, t.rng)
		return t.step(classes, rate)
	}
	of := shape{hidden: s.Hidden, layers: s.Layers}
	one := true
	for i, c := range classes {
		if c < 0 || c >= len(graphs) {
			return nil, fmt.Errorf("gin: classes[%d] is %d, expected a number from 0 on, below that of the graphs (%d)", i, c, len(graphs))
		}
		of.classes = max(of.classes, c+1)
		one = one && c == classes[0]
	}
	if one {
		return nil, fmt.Errorf("gin: all graphs (%d) are of class %d, expected two classes at least", len(graphs), classes[0])
	}
	if of.inputs, err = widthOf(graphs); err != nil {
		return nil, err
	}
	if t.learned, err = newSet("graphs", graphs, of.inputs); err != nil {
		return nil, err
	}
	if t.watched, err = newSet("watched", watched, of.inputs); err != nil {
		return nil, err
	}
	m := newModel(of, s.Batch, rng)
	t.descent = newDescent(newPass(m, t.learned, t.watched))
	t.out = &Result{Model: m, Loss: make([]float64, s.Epochs), Watched: make([][]int, s.Epochs)}
	for e := range t.out.Watched {
		t.out.Watched[e] = make([]int, len(watched))
	}
	return t, nil
}
