// Package gw solves the Gromov-Wasserstein (GW) problem and its fused variant
// (FGW) between attributed graphs by conditional gradient with exact line
// search.
//
// A graph is a [Space] (C, A, p): a symmetric structure matrix C (n x n),
// optional features A (n x d) and node weights p on the simplex. With Ct, At, q
// on the other side, T a coupling in U(p, q) and alpha in [0, 1], the
// objective is
//
//	J(T) = alpha E(T) + (1 - alpha) F(T)
//	E(T) = sum_ijkl (C_ij - Ct_kl)^2 T_ik T_jl
//	F(T) = sum_ik |a_i - at_k|^2 T_ik
//
// GW is the case without features (alpha = 1). Values are always this
// objective, the squared distance; its root is the distance.
//
// The method is due to Vayer et al., "Optimal Transport for structured data with application on
// graphs" (ICML 2019), algorithms 1 and 2. The objective is not convex. A solve ends in a local
// minimum at best. The best of several starts ([Settings].Starts) is not worse than the first, but for rounding.
//
//   - [NewSpace], [FromRows] and [FromEdges] make spaces;
//   - [SolveSpaces], [Solve] and, for many problems, a [Solver] find couplings and values;
//   - [Proximal] finds couplings by the proximal point algorithm, which Gromov-Wasserstein factorization uses;
//   - [Chain] draws starts from a Markov chain on couplings, for a lower minimum;
//   - [Pairwise] computes the distances of all pairs of graphs; [Pairs] does so in independent blocks;
//   - [Barycentre] averages spaces, [Objective] is the value at any coupling.
//
// Spaces are plain data, safe to share between goroutines as long as nobody
// changes them; a [Solver] is a workspace for one goroutine.
package gw
