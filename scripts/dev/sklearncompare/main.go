//go:build linux

// Sklearncompare is ogdl's side of scripts/compare_with_sklearn.sh: a nested search for C and gamma
// of an SVM on kernels exp(-gamma D), D the fused Gromov-Wasserstein distances of a data set or the
// distances of generated points.
//
// "sklearncompare write -out FILE [-data DIR -set NAME]" writes labels, split and kernels to an npz file. Then "sklearncompare
// search FILE" reads them, searches and prints what it found and the CPU time that it took, as JSON.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/eval/nested"
	"ogdl/eval/svm"
	"ogdl/internal/npz"
	"ogdl/internal/usage"
	"ogdl/internal/vec"
	"ogdl/ot/gw"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sklearncompare:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) > 0 && args[0] == "write":
		return write(args[1:])
	case len(args) == 2 && args[0] == "search":
		return search(args[1])
	}
	return errors.New(`expected "write" and flags, or "search FILE"`)
}

// write makes the problem.
func write(args []string) error {
	flags := flag.NewFlagSet("write", flag.ContinueOnError)
	data := flags.String("data", "", "`folder` of the TU data sets; points are generated without it")
	set := flags.String("set", "MUTAG", "`name` of the data set")
	seed := flags.Uint("seed", 0, "of the split")
	quick := flags.Bool("quick", false, "3 instead of 21 gammas")
	out := flags.String("out", "", "npz `file` to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	labels, D := generated()
	if *data != "" {
		var err error
		if labels, D, err = distances(*data, *set); err != nil {
			return err
		}
	}
	n := len(labels)
	split, err := nested.Released(labels, uint32(*seed), nested.Folds)
	if err != nil {
		return err
	}
	kernel, err := nested.Exponential(D, n)
	if err != nil {
		return err
	}
	var gammas, all []float64
	for k := -10; k <= 10; k++ {
		if *quick && k%8 != 0 {
			continue
		}
		K, err := kernel(math.Ldexp(1, k))
		if err != nil {
			return err
		}
		gammas, all = append(gammas, math.Ldexp(1, k)), append(all, K...)
	}
	f, err := os.Create(*out)
	if err != nil {
		return err
	}
	ints := func(name string, x []int) npz.Array { return npz.Array{Name: name, Shape: []int{len(x)}, Int: x} }
	return errors.Join(npz.Write(f, []npz.Array{
		ints("labels", labels), ints("train", split.Train), ints("test", split.Test), ints("fold", split.Fold),
		{Name: "gamma", Shape: []int{len(gammas)}, Float: gammas},
		{Name: "D", Shape: []int{n, n}, Float: D},
		{Name: "K", Shape: []int{len(gammas), n, n}, Float: all},
	}), f.Close())
}

// generated are 188 points of two classes that overlap.
func generated() (labels []int, D []float64) {
	const n = 188
	rng := rand.New(rand.NewPCG(1, 1))
	points := make([][4]float64, n)
	for i := range n {
		labels = append(labels, i%3/2)
		for k := range points[i] {
			points[i][k] = rng.NormFloat64() + float64(labels[i])
		}
	}
	for i := range n {
		for j := range n {
			D = append(D, math.Sqrt(vec.SquaredDistance(points[i][:], points[j][:])))
		}
	}
	return labels, D
}

// distances are the objectives of FGW at alpha 0.5 on adjacency and labels; of GW where there are none.
func distances(folder, name string) (labels []int, D []float64, err error) {
	d, err := loader.Load(folder, name)
	if err != nil {
		return nil, nil, err
	}
	alpha, kind := 0.5, datasets.KindLabels
	if len(d.LabelValues) == 0 {
		alpha, kind = 1, datasets.KindNone
	}
	rows, dim, err := datasets.Features{Kind: kind}.Of(d)
	if err != nil {
		return nil, nil, err
	}
	spaces := make([]*gw.Space, len(d.Graphs))
	for i := range spaces {
		g, features := &d.Graphs[i], []float64(nil)
		if dim > 0 {
			features = rows[i]
		}
		if spaces[i], err = gw.NewSpace(g.Adjacency(), features, g.Order(), dim, nil); err != nil {
			return nil, nil, err
		}
		labels = append(labels, d.ClassValues[d.Classes[i]])
	}
	D, _, err = gw.Pairwise(context.Background(), spaces, alpha, nil, 1)
	for i, x := range D {
		D[i] = x * x
	}
	return labels, D, err
}

// answer is what a search found: Iterations of all inner fits by gamma, fold and C.
type answer struct {
	Seconds     float64   `json:"seconds"`
	C           []float64 `json:"C"`
	Fits        int       `json:"fits"`
	Capped      int       `json:"capped"`
	Chosen      []float64 `json:"chosen"`
	Inner       string    `json:"inner"`
	Table       []float64 `json:"table"`
	Predictions []int     `json:"predictions"`
	Iterations  [][]int   `json:"iterations"`
}

func search(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	f, err := npz.Open(bytes.NewReader(data), int64(len(data)), path)
	if err != nil {
		return err
	}
	ints := func(name string) []int {
		if a := f.Get(name, 1, false); a != nil {
			return a.Int
		}
		return nil
	}
	labels, split := ints("labels"), &nested.Split{Train: ints("train"), Test: ints("test"), Fold: ints("fold")}
	n := len(labels)
	D, gamma := f.FloatsOf("D", n, n), f.Floats("gamma", 1, false)
	if err := f.Err(); err != nil {
		return err
	}
	a := answer{C: []float64{1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7}}
	ctx, begin := context.Background(), usage.ProcessCPU()
	kernel, err := nested.Exponential(D, n)
	if err != nil {
		return err
	}
	r, err := nested.Search(ctx, kernel, labels, split, &nested.Settings{C: a.C, Gamma: gamma.Float})
	if err != nil {
		return err
	}
	a.Seconds = usage.ProcessCPU() - begin
	a.Fits, a.Capped, a.Chosen, a.Inner, a.Table, a.Predictions = r.Fits, r.Capped, []float64{r.C, r.Gamma}, r.Inner.RatString(), r.Table, r.Predictions
	// Once more, outside the clock, for the iterations of each fit.
	var p svm.Problem
	for _, g := range gamma.Float {
		K, err := kernel(g)
		if err != nil {
			return err
		}
		for fold := range nested.Folds {
			var rows []int
			for k, i := range split.Train {
				if split.Fold[k] != fold {
					rows = append(rows, i)
				}
			}
			if err := p.Reset(K, labels, rows); err != nil {
				return err
			}
			for _, C := range a.C {
				m, err := p.Fit(ctx, C, nil)
				if err != nil {
					return err
				}
				var iterations []int
				for _, pair := range m.Pairs {
					iterations = append(iterations, pair.Iterations)
				}
				a.Iterations = append(a.Iterations, iterations)
			}
		}
	}
	return json.NewEncoder(os.Stdout).Encode(a)
}
