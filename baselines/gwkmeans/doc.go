// Package gwkmeans clusters graphs by k-means with (fused) Gromov-Wasserstein
// distances and barycentres, a rival that the dictionaries are compared with (GW-k).
//
// The graphs are data ([ogdl/ot/gw.Space]): from a data set, or graphs embedded in a
// dictionary, with node weights of their own. What the literature leaves open is settled
// here as written at [Cluster].
package gwkmeans
