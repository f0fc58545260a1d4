// Package gwkmeans clusters graphs by k-means with (fused) Gromov-Wasserstein distances and
// barycentres: the baseline GW-k of the dictionaries.
//
// The graphs are of type [ogdl/ot/gw.Space]: graphs of a data set, or embedded graphs of a
// dictionary, with their own node weights. The literature leaves some choices open; [Cluster]
// documents ours.
package gwkmeans
