package gin

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
)

// Result is what training hands back.
type Result struct {
	// Model is the network after the last epoch.
	Model *Model
	// Loss[e] is the mean cross entropy of the graphs of epoch e, as its steps saw them: with dropout, each before it was learned from.
	Loss []float64
	// Watched[e][i] is the class that the model of the end of epoch e tells for graph i of those watched.
	Watched [][]int
}

// Train learns to tell the classes of graphs, 0, 1, ..., the largest of which says how many there are. After every epoch it tells those of the
// graphs watched, which it never learns from (nil: there are none): whoever chooses an epoch by them can have its model by training for
// so many epochs with a source of the same seed, because no epoch depends on how many follow.
//
// It is an error if there are no graphs, if they are not what Graph says, if classes do not fit them or are all the same, if rng is nil or
// settings are bad, if the context ends, and if the loss becomes infinite.
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
	if t.out.Loss[e], err = t.epoch(ctx, e); err != nil {
		return err
	}
	told := t.out.Watched[e][:0]
	return t.each(t.watched, func(row []float64) { told = append(told, best(row)) })
}

// training is a network in training.
type training struct {
	Settings
	*descent
	learned, watched *set
	classes          []int // of the graphs learned from
	deck             []int // their places, in an order that changes
	of               []int // classes of a batch
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
	t := &training{Settings: s, classes: classes, rng: rng}
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
	t.deck = make([]int, len(graphs))
	for i := range t.deck {
		t.deck[i] = i
	}
	t.of = make([]int, min(s.Batch, len(graphs)))
	t.out = &Result{Model: m, Loss: make([]float64, s.Epochs), Watched: make([][]int, s.Epochs)}
	for e := range t.out.Watched {
		t.out.Watched[e] = make([]int, len(watched))
	}
	return t, nil
}

// epoch makes the steps of an epoch and returns their mean loss.
func (t *training) epoch(ctx context.Context, e int) (float64, error) {
	rate := t.Rate
	if t.HalveEvery > 0 {
		rate = math.Ldexp(rate, -min(e/t.HalveEvery, 2000))
	}
	n := len(t.deck)
	batch, steps := min(t.Batch, n), t.Steps
	if steps == 0 {
		steps = (n + batch - 1) / batch
	}
	sum, seen := 0.0, 0
	for k := range steps {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		from := 0
		if t.Steps == 0 {
			from = k * batch
		}
		some := t.draw(from, min(from+batch, n))
		t.load(t.learned, some)
		t.drop(t.Dropout, t.rng)
		sum += float64(t.step(t.of, rate) * float64(len(some)))
		seen += len(some)
		if !(math.Abs(sum) <= math.MaxFloat64) {
			return 0, fmt.Errorf("gin: training diverged: the loss of epoch %d is %v; a smaller Rate or smaller inputs may help", e+1, sum/float64(seen))
		}
	}
	return sum / float64(seen), nil
}

// draw fills the places of the deck with graphs from there on, and tells their classes.
func (t *training) draw(from, to int) []int {
	for i := from; i < to; i++ {
		j := i + t.rng.IntN(len(t.deck)-i)
		t.deck[i], t.deck[j] = t.deck[j], t.deck[i]
		t.of[i-from] = t.classes[t.deck[i]]
	}
	return t.deck[from:to]
}
