package gwf

// Training is the result of Train.
type Training struct {
	Model *Model
	// Z holds the free parameters of the graphs' weights, one row of K per graph,
	// row by row: what the released code clusters. W = softmax(Z), row by row, are
	// the weights. Both belong to Model (Settings.Keep).
	Z, W []float64
	// Only with Supervision: the predicted classes of all graphs at the kept state, the number of
	// labelled graphs that are right at the end of each epoch, and the kept epoch, from 0.
	Predicted, Right []int
	Epoch            int
	// BatchLoss is the mean loss of a batch, before its update, EpochLoss the mean of an epoch.
	BatchLoss, EpochLoss []float64
	// Stats counts the couplings of all epochs.
	Stats Stats
}

// Embedding is a graph's place in a factorization.
type Embedding struct {
	// W are the weights of the atoms on the simplex, Z a vector with softmax(Z) = W and sum 0.
	W, Z []float64
	// Loss is the loss at W, and Bound a lower bound on the loss at any weights,
	// both at the couplings found.
	Loss, Bound float64
	// Stats counts the couplings of this graph.
	Stats Stats
}

// Stats sums up how couplings were found.
type Stats struct {
	// Numbers of couplings, of those that ended at the cap on outer steps, and of outer steps.
	Couplings, CapHits, Steps int64
	// MaxMarginalError is the largest L1 violation of a coupling's marginals.
	MaxMarginalError float64
}

// Add adds the counts of t to s.
func (s *Stats) Add(t *Stats) {
	s.Couplings += t.Couplings
	s.CapHits += t.CapHits
	s.Steps += t.Steps
	s.MaxMarginalError = max(s.MaxMarginalError, t.MaxMarginalError)
}
