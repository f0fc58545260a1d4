// Package datasets holds graphs and collections of them, and computes the inputs of optimal
// transport: a structure matrix (Structure), node weights (Weights) and node features (Features).
// It also generates the paper's simulated sets D1 and D2 (BlockModel), and streams like TRIANGLES
// (TriangleStream).
//
// Package datasets/loader reads the files of the TU collection into a Dataset,
// or streams them graph by graph.
package datasets
