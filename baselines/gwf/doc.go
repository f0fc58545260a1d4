// Package gwf factorizes graphs by Gromov-Wasserstein barycentres: Xu,
// "Gromov-Wasserstein factorization models for graph clustering" (AAAI 2020),
// fused with node features where there are any.
//
// A [Model] holds K atoms (C_k, A_k, p_k), each of its own order, with non-negative structures. A
// graph (C, A, p) of order n gets weights w on the simplex, w = softmax(z) with free parameters z,
// and is modelled by the barycentre of the atoms with these weights. As in the released code the
// barycentre is one averaging step at the graph's own order, with couplings T_k in U(p, p_k)
// between the graph and the atoms,
//
//	B = sum_k w_k T_k C_k T_k' / (p p')        f = diag(1/p) sum_k w_k T_k A_k
//
// compared with the graph node by node:
//
//	loss = alpha sum_ij (C_ij - B_ij)^2 p_i p_j + (1 - alpha) sum_i p_i |a_i - f_i|^2
//
// which bounds the FGW objective between the two from above (it is the objective at the identity
// coupling). The full barycentre ([Full]) is an option. The couplings come from the proximal point
// algorithm of gw.Proximal, and are held fixed in all gradients. At fixed couplings the loss is a
// quadratic in w,
//
//	loss = w'Gw - 2c'w + r
//
// so that work on the weights costs O(K^2) per step.
//
//   - [InitRandomOrder] (GWF-r) and [InitFixedOrder] (GWF-f) start a model;
//   - [Train] learns atoms and the weights of every graph together, by Adam, with [Supervision] a classifier too;
//   - [Model.Embed] and [Embedder.Embed] find the weights of graphs in given
//     atoms, to a proved relative precision of the loss.
//
// Results depend on their arguments only, not on the number of workers. Zero workers count as one;
// a negative number is an error. Wrong shapes panic, bad values are errors.
package gwf
