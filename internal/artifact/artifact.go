// Package artifact names the arrays that cells keep in their npz files, with their shapes, once: for those who write them and for
// those who read them; and the scores that tables read by name.
package artifact

import "ogdl/internal/npz"

// Arrays of cells that learn a dictionary, apart from the arrays of its file. S atoms of order N.
const (
	Atoms            = "C"                      // S x N x N
	AtomsFeatures    = "A"                      // S x N x D: the atoms' features, where nodes have any
	AtomsNodeWeights = "h"                      // S x N: the atoms' node weights, where these differ
	Weights          = "weights"                // graphs x S: the embeddings, on the simplex
	FreeWeights      = "free_weights"           // graphs x S: GWF's weights before the softmax
	NodeWeights      = "node_weights_embedding" // graphs x S: weights of the atoms' node weights, where these differ
)

// Arrays of cells that hold graphs out.
const (
	HeldOutGraphs = "held_out_graphs" // those that the dictionary of HeldOutErrors was not learned on, ascending
	HeldOutErrors = "held_out_errors" // their reconstruction errors
)

// Arrays of every cell that keeps any.
const (
	Centers    = "centers"         // clusters x width, in the coordinates of k-means
	Assignment = "assignment"      // cluster of every graph
	Params     = "cell_parameters" // JSON: every parameter, resolved
	Features   = "cell_features"   // JSON: the map from labels or attributes to features
	Method     = "cell_method"     // the method's name
	Dataset    = "cell_dataset"    // and the data set's
)

// field is an array: where it is held, and its shape.
type field struct {
	name  string
	at    any // *[]float64, *[]int or *[]string
	shape []int
}

// arraysOf are the arrays of fields.
func arraysOf(fields []field) []npz.Array {
	out := make([]npz.Array, len(fields))
	for i, x := range fields {
		a := npz.Array{Name: x.name, Shape: x.shape}
		switch at := x.at.(type) {
		case *[]float64:
			a.Float = *at
		case *[]int:
			a.Int = *at
		case *[]string:
			a.Text = *at
		}
		out[i] = a
	}
	return out
}

// read fills fields; what is not there, or of another shape, fails f.
func read(f *npz.Fields, fields []field) {
	for _, x := range fields {
		switch at := x.at.(type) {
		case *[]float64:
			*at = f.FloatsOf(x.name, x.shape...)
		case *[]int:
			*at = f.IntsOf(x.name, x.shape...)
		case *[]string:
			if a := f.Get(x.name, len(x.shape), false); a != nil {
				if *at = a.Text; len(a.Text) != x.shape[0] {
					f.Fail(x.name, "does not hold %d texts", x.shape[0])
				}
			}
		}
	}
}

// length returns the length of a vector, whatever it holds: its companions must have it too.
func length(f *npz.Fields, name string) int {
	if a := f.Get(name, 1, false); a != nil && len(a.Shape) == 1 {
		return a.Shape[0]
	}
	return 0
}
