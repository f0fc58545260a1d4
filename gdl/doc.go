// Package gdl learns dictionaries of graphs and embeds graphs in them: "Online
// Graph Dictionary Learning" (Vincent-Cuaz, Vayer, Flamary, Corneli, Courty,
// ICML 2021).
//
// A [Dictionary] holds S atoms (C_s, A_s) with N nodes each. All atoms share the node weights q,
// unless each atom has its own (see [Extend]). A graph (C, A, p) is modelled by a weighted sum of
// atoms, Ct(w) = sum_s w_s C_s and At(w) = sum_s w_s A_s with w on the simplex, and its weights,
// the unmixing, minimise (equation 2 of the paper)
//
//	FGW^2_alpha((C, A, p), (Ct(w), At(w), q)) - lambda |w|^2
//
// where FGW^2 is the objective of package ot/gw and lambda >= 0 favours sparse weights. Graphs
// without features have alpha = 1 (GW).
//
//   - [Learn] starts and trains a dictionary in one call, [Cluster] clusters embeddings;
//   - [Dictionary.Embed] and [Unmixer.Unmix] find the weights by block coordinate
//     descent (algorithm 1);
//   - [Train] learns the atoms online, by stochastic gradients over minibatches
//     (algorithm 2), from a start of [InitSample], [InitSamplePerClass] or
//     [InitRandom];
//   - [Online] learns from a stream of any length ([Source]) at constant memory,
//     reports progress ([Event]), resumes from checkpoints, and detects changes of
//     the stream from its losses ([ChangePointDetector]);
//   - [Dictionary.Mahalanobis] returns the matrix M of propositions 1 and 2. Its
//     distance compares embeddings, and bounds FGW:
//     FGW^2(Ct(w1), Ct(w2)) <= (w1 - w2)'M(w1 - w2);
//   - [Dictionary.Coordinates] returns points whose Euclidean distances are these
//     Mahalanobis distances;
//   - [Dictionary.SaveNPZ] and [LoadNPZ] keep a dictionary in a file that numpy
//     reads;
//   - [Extend] gives every atom its own node weights (the extended model, GDL_h). A
//     graph then has a second embedding, for the node weights. The calls are the same.
//
// Results depend on their arguments only, not on the number of workers. Zero workers count as one;
// a negative number is an error. Wrong shapes panic, bad values are errors, and an unmixing that
// stops early says so in its [Status].
package gdl
