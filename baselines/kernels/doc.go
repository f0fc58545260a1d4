// Package kernels computes graph kernels, baselines of optimal transport in the supervised
// benchmark of "Online Graph Dictionary Learning" (Vincent-Cuaz, Vayer, Flamary, Corneli, Courty,
// ICML 2021):
//
//   - [ShortestPath] (SPK) counts pairs of nodes with equal labels at equal distances;
//   - [WeisfeilerLehman] (WLK) counts nodes with equal neighbourhoods of growing depth;
//   - [Graphlets] (GK) counts induced subgraphs of three nodes, all of them or a sample;
//   - [RandomWalk] (RWK) counts walks with equal labels, discounted by their length;
//   - [GraphHopper] (HOPPERK) and [GraphHopperGaussian] compare the attributes of nodes
//     at equal positions of shortest paths of equal lengths;
//   - [Propagation] (PROPAK) counts nodes with nearly equal attributes while these spread
//     along the edges.
//
// Each function takes a set of graphs and returns the kernel of every two graphs, an n x n Gram
// matrix row by row: symmetric, positive semidefinite, not normalised (see [Normalize]). Kernels of
// counts have integer entries, which are exact below 2^53. A kernel with a parameter gives the
// matrices of all its values in one run.
//
// Graphs are data ([Graph]). Nodes without edges count like all others. Errors: bad graphs, missing
// labels or attributes, bad parameters, and the end of the context. Results depend on the arguments
// only, not on the number of workers.
package kernels
