package gin

import (
	"cmp"
	"fmt"
	"math"
)

// Defaults of the settings, as in the benchmark.
const (
	DefaultHidden  = 32
	DefaultLayers  = 4
	DefaultDropout = 0.5
	DefaultBatch   = 128
	DefaultEpochs  = 150
	DefaultRate    = 0.01
	DefaultHalve   = 50
)

// Never, and all below 0, asks for no dropout, or for a rate that is never halved.
const Never = -1

// Settings are the network and its training. Nil means the defaults, and so does a zero field.
type Settings struct {
	// Hidden is the width of all layers but the input. Default 32; the benchmark has 64 on IMDB.
	Hidden int
	// Layers is how often neighbours are summed: the layers without the input. Default 4.
	Layers int
	// Dropout in [0, 1) is the part of the scores of each depth that a training step drops. Default
	// 0.5; Never: none.
	Dropout float64

	// Epochs is the number of epochs. Default 150.
	Epochs int
	// Batch is the number of graphs of a step. Default 128.
	Batch int
	// Steps is the number of steps of an epoch, each with a batch drawn afresh from all graphs; the
	// published code has 50, whatever the data. Default 0: an epoch is one pass over the graphs in
	// a new order, and its last batch may be smaller.
	Steps int
	// Rate > 0 is Adam's step size. Default 0.01.
	Rate float64
	// HalveEvery is the number of epochs after which the rate is halved. Default 50; Never: not.
	HalveEvery int
}

// resolve checks the settings and fills in the defaults.
func (set *Settings) resolve() (Settings, error) {
	s := *cmp.Or(set, &Settings{})
	for _, f := range []struct {
		name  string
		value *int
		def   int
	}{{"Hidden", &s.Hidden, DefaultHidden}, {"Layers", &s.Layers, DefaultLayers}, {"Epochs", &s.Epochs, DefaultEpochs},
		{"Batch", &s.Batch, DefaultBatch}, {"Steps", &s.Steps, 0}} {
		if *f.value < 0 || *f.value > math.MaxInt32 {
			return s, fmt.Errorf("gin: %s is %d, expected a number from 1 to %d, or 0 for the default", f.name, *f.value, math.MaxInt32)
		}
		*f.value = cmp.Or(*f.value, f.def)
	}
	s.Dropout = max(cmp.Or(s.Dropout, DefaultDropout), 0)
	s.Rate = cmp.Or(s.Rate, DefaultRate)
	s.HalveEvery = cmp.Or(s.HalveEvery, DefaultHalve)
	switch {
	case !(s.Dropout < 1):
		return s, fmt.Errorf("gin: Dropout is %v, expected a number below 1", s.Dropout)
	case !(s.Rate > 0 && s.Rate <= math.MaxFloat64):
		return s, fmt.Errorf("gin: Rate is %v, expected a finite number > 0", s.Rate)
	}
	return s, nil
}
