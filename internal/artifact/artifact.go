// Package artifact names the arrays that cells keep in their npz files, with their shapes, once: for those who write them and for
// those who read them; and the scores that tables read by name.
package artifact

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
