package artifact

// Names of the arrays on all graphs of the cell's data that keep_graphs adds.
const (
	DataOrder      = "data_order"            // graphs: their orders
	DataClass      = "data_class"            // graphs: their classes, from 0; absent where there are none
	DataError      = "data_reconstruction"   // graphs: (F)GW^2 between graph and model
	DataProportion = "data_block_proportion" // graphs: share of nodes in the first block; D2 only
)

// Names of the arrays that the parameter keep_graphs adds to a cell's npz, for m kept graphs
// of orders n_1 .. n_m and models of order N. Matrices and vectors of differing sizes
// stand one after the other.
const (
	KeptGraph = "kept_graph"          // m: which graphs of the cell's data, from 0
	KeptOrder = "kept_order"          // m: their orders
	KeptClass = "kept_class"          // m: their classes, from 0; absent where there are none
	KeptC     = "kept_C"              // sum of n_k^2: their structures, row by row
	KeptP     = "kept_p"              // sum of n_k: their node weights
	KeptError = "kept_reconstruction" // m: (F)GW^2 between graph and model
	KeptModel = "kept_model_C"        // m x N x N: the models' structures
	KeptH     = "kept_model_h"        // m x N: the models' node weights
)

// Arrays of every cell that learns a dictionary.
const (
	ArrayAtoms   = "C"       // S x N x N
	ArrayWeights = "weights" // graphs x S
)

// Arrays of cells of GDL_h, beside those of every dictionary.
const (
	ArrayNodeWeights      = "h"                      // S x N: the atoms' node weights
	ArrayNodeWeightsMixed = "node_weights_embedding" // graphs x S: their weights in every graph
)
