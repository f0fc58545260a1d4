// Package gin is the graph isomorphism network GIN-0 (Xu, Hu, Leskovec & Jegelka, "How Powerful are
// Graph Neural Networks?", ICLR 2019), a baseline in the supervised benchmark of "Online Graph
// Dictionary Learning" (Vincent-Cuaz, Vayer, Flamary, Corneli, Courty, ICML 2021). [Train] learns
// to tell the classes of graphs, [Model] tells them.
//
// With H_0 the inputs of a graph's nodes and A its adjacency matrix, four layers (five with the
// input) are
//
//	Z_l = (A + I) H_{l-1}        H_l = ReLU(BN(ReLU(BN(Z_l W_l)) W'_l)),
//
// where BN is batch normalisation over all nodes of a batch. The scores of the classes are
//
//	sum over l = 0..4 of dropout(P_l' s_l + c_l),        s_l = the sum of the rows of H_l,
//
// and training lowers the mean cross entropy of their softmax by Adam, whose rate is halved from
// time to time. Once trained, BN takes running means and variances and nothing is dropped: the
// scores of a graph do not depend on what else is asked.
//
// This is the published network, with a difference: what BN follows has no bias, since BN takes it
// away again. Defaults are PyTorch's, as there: weights start uniform on +-1/sqrt(inputs of the
// layer), running numbers move by a tenth, variances have 1e-5 added, Adam has decay rates 0.9 and
// 0.999 and epsilon 1e-8.
//
// Graphs are data ([Graph]): nodes without edges count like all others. Bad graphs, classes and
// settings are errors, and so are the end of the context and training that diverges. Results are
// functions of the arguments and the random source alone: the same bytes on every run and every
// processor. All is serial, a model may be shared by goroutines, and training allocates nothing
// once it has begun.
package gin
