package artifact

import "ogdl/internal/npz"

// Scores of a cell of the protocol "classification".
const (
	Accuracy         = "accuracy"          // share of the test graphs whose class is predicted
	InnerAccuracy    = "inner_accuracy"    // accuracy of the choice within the training part, rounded: InnerNumerator / InnerDenominator
	InnerNumerator   = "inner_numerator"   // exactly: whole numbers below 2^53
	InnerDenominator = "inner_denominator" // the same for all entries of InnerCorrect
	ChosenC          = "C"
	ChosenGamma      = "gamma"            // of kernels of distances
	TestSize         = "test_size"        // graphs of the test part
	Majority         = "majority"         // accuracy of the training part's largest class
	MajorityAll      = "majority_all"     // share of the data set's largest class
	Fits             = "fits"             // SVMs trained
	CappedFits       = "capped_fits"      // fits that ended at the cap of iterations
	LeastEigenvalue  = "least_eigenvalue" // of the kernel matrix of all graphs that was chosen
	Epoch            = "epoch"            // chosen, from 1, of a network
)

// ChosenAlpha is that score where several dictionaries were learned: whose [Objective] is the lowest.
const ChosenAlpha = "alpha"

// Arrays of such a cell.
const (
	Predictions  = "predictions"   // classes of the test graphs, 0, 1, .. in the order of the data's class values
	Truth        = "truth"         // their own
	TestGraphs   = "test_graphs"   // which these are, from 0, ascending
	InnerCorrect = "inner_correct" // C x gamma: inner accuracies, times InnerDenominator
	InnerC       = "inner_C"       // the C of its rows, ascending
	InnerGamma   = "inner_gamma"   // the gammas of its columns, ascending; a 0 for kernels without
	// Of a network, after each epoch: how many predictions are right for the test graphs, and for held-out graphs of the training part;
	// of supervised GWF, for those that are learned from.
	RightByEpoch = "right_by_epoch"
	InnerByEpoch = "inner_by_epoch"
)

// InnerSearch is the search of a cell within its training part.
type InnerSearch struct {
	C, Gamma []float64 // ascending; a Gamma of 0 alone means none
	Correct  []int     // row by row of C
}

// ReadInnerSearch finds the search among a cell's arrays.
func ReadInnerSearch(arrays []npz.Array) (*InnerSearch, error) {
	f := npz.Among(arrays, "reports: a cell's search for C and gamma")
	s := &InnerSearch{}
	c, g := f.Length(InnerC), f.Length(InnerGamma)
	if c == 0 || g == 0 {
		f.Fail(InnerC, "or %s is empty", InnerGamma)
	}
	f.Fill(npz.SlotOf(InnerC, &s.C, c), npz.SlotOf(InnerGamma, &s.Gamma, g), npz.SlotOf(InnerCorrect, &s.Correct, c, g))
	return s, f.Err()
}
