// Package spectral clusters graphs by their pairwise (fused) Gromov-Wasserstein
// distances: the baseline SC of "Online Graph Dictionary Learning" (Vincent-Cuaz,
// Vayer, Flamary, Corneli, Courty, ICML 2021).
//
//   - gw.Pairwise computes the matrix of distances.
//   - [Embed] turns distances D into the affinity exp(-gamma D), and this into the
//     first eigenvectors of its normalised Laplacian (Shi & Malik, "Normalized cuts
//     and image segmentation", PAMI 2000).
//   - [Embedding.Cluster] labels by them, with k-means or the discretisation of Yu &
//     Shi ("Multiclass spectral clustering", ICCV 2003).
//
// Results depend on their arguments only, not on the number of workers. Slices of the wrong length
// panic, bad values are errors.
package spectral
