// Command density compares clusters of graphs with k-means of one number a graph, the share of its pairs of nodes that are joined. For each
// repetition in a file of clusters/ it prints the adjusted Rand Index of the two, and the Rand Index of both with the classes:
//
//	go run ./experiments -config clustering -filter 'dataset=IMDB-B,IMDB-M method=GDL lambda=0' -out results/density
//	go run ./experiments report -config clustering -out results/density
//	go run ./scripts/dev/density IMDB-M results/density/clustering/clusters/imdb-m-gdl.csv
package main

import (
	"encoding/csv"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"ogdl/datasets/loader"
	"ogdl/eval"
)

func main() {
	log.SetFlags(0)
	data := flag.String("data", "data", "`folder` of the data sets")
	if flag.Parse(); flag.NArg() != 2 {
		log.Fatal("density: expected DATASET and a file of clusters/")
	}
	if err := compare(*data, flag.Arg(0), flag.Arg(1)); err != nil {
		log.Fatalf("density: %v", err)
	}
}

// compare prints a line for each repetition in the file at path.
func compare(data, dataset, path string) error {
	d, err := loader.Load(data, dataset)
	if err != nil {
		return err
	}
	d, _ = d.WithoutEmpty()
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) != len(d.Graphs)+1 {
		return fmt.Errorf("%s: %d lines, expected a head and one for each of the %d graphs of %s", path, len(rows), len(d.Graphs), dataset)
	}
	density := make([]float64, len(d.Graphs))
	for i := range d.Graphs {
		n := float64(d.Graphs[i].Order())
		density[i] = 2 * float64(d.Graphs[i].Edges()) / max(1, n*(n-1))
	}
	got, err := eval.KMeans(density, len(density), 1, d.NumClasses(), nil, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		return err
	}
	for k, name := range rows[0] {
		if !strings.Contains(name, "repetition_") || rows[1][k] == "" {
			continue
		}
		clusters := make([]int, len(density))
		for i := range clusters {
			if clusters[i], err = strconv.Atoi(rows[i+1][k]); err != nil {
				return fmt.Errorf("%s, %s of graph %d: %w", path, name, i, err)
			}
		}
		fmt.Printf("%s %s: ARI %.3f, Rand Index %.2f of the clusters and %.2f of the density\n", dataset, name,
			eval.AdjustedRandIndex(clusters, got.Labels), 100*eval.RandIndex(clusters, d.Classes), 100*eval.RandIndex(got.Labels, d.Classes))
	}
	return nil
}
