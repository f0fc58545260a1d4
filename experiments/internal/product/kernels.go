package product

import (
	"context"
	"maps"
	"slices"

	"ogdl/baselines/kernels"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/npz"
	"ogdl/internal/record"
)

const (
	kindKernel = "graph_kernel"
	// kernelsVersion is in each kernel's identity. Raise it when kernels or their inputs change.
	kernelsVersion = 1
)

// Kernel is the product of a graph kernel's matrices of a cell's graphs, for several values of its parameter.
type Kernel struct {
	Of     *spec.Cell
	Name   string
	Values []float64 // values of the kernel's parameter; one arbitrary value for a kernel without a parameter
	// Settings are the other values that decide the matrices.
	Settings map[string]any
	// Compute returns them in the order of Values; nil for a value that has none.
	Compute func(ctx context.Context, graphs []kernels.Graph) ([][]float64, error)
}

// Kernels are the finished matrices, n x n row by row, by the value of the parameter. They are shared and read-only.
type Kernels struct {
	Used record.Used
	At   map[float64][]float64
}

func (k *Kernels) used() *record.Used { return &k.Used }

// Product describes the matrices.
func (p Kernel) Product() spec.Product {
	content := contentOf(p.Of)
	content["version"], content["kernel"], content["values"] = kernelsVersion, p.Name, spec.NumbersText(p.Values)
	maps.Copy(content, p.Settings)
	return spec.Product{Kind: kindKernel, Label: p.Of.Dataset + " kernel " + p.Name, Of: p.Of, Content: content}
}

// Kernels computes the matrices, with all cells that wait for them.
func (k *Cache) Kernels(ctx context.Context, p Kernel, graphs []kernels.Graph, digest string) (*Kernels, error) {
	return fetch(ctx, k, p.Product(), digest, func() (*recipe[*Kernels, *Kernels], error) {
		return &recipe[*Kernels, *Kernels]{
			blocks: 1,
			compute: func(ctx context.Context, _ int) (*Kernels, error) {
				all, err := p.Compute(ctx, graphs)
				out := &Kernels{At: map[float64][]float64{}}
				for i, K := range all {
					if K != nil {
						out.At[p.Values[i]] = K
					}
				}
				return out, err
			},
			pack:   func(b *Kernels) []npz.Array { return packKernels(b, len(graphs)) },
			unpack: func(_ int, arrays []npz.Array) (*Kernels, error) { return unpackKernels(arrays, len(graphs)) },
			finish: func(blocks []*Kernels) (*Kernels, error) { return blocks[0], nil },
		}, nil
	})
}

// kernelSlots are the arrays of a kernel's one block in the store, for n graphs: values of the parameter, and the upper triangles of their
// matrices, row by row.
func kernelSlots(values, triangles *[]float64, count, n int) []npz.Slot {
	return []npz.Slot{npz.SlotOf("values", values, count), npz.SlotOf("kernel", triangles, count, n*(n+1)/2)}
}

func packKernels(b *Kernels, n int) []npz.Array {
	var all []float64
	values := slices.Sorted(maps.Keys(b.At))
	for _, v := range values {
		for i := range n {
			all = append(all, b.At[v][i*n+i:(i+1)*n]...)
		}
	}
	return npz.Arrays(kernelSlots(&values, &all, len(values), n)...)
}

func unpackKernels(arrays []npz.Array, n int) (*Kernels, error) {
	var values, all []float64
	f := npz.Among(arrays, "a kernel")
	if f.Fill(kernelSlots(&values, &all, f.Length("values"), n)...); f.Err() != nil {
		return nil, f.Err()
	}
	out := &Kernels{At: map[float64][]float64{}}
	for _, v := range values {
		K := make([]float64, n*n)
		for i := range n {
			for j := i; j < n; j++ {
				K[i*n+j], K[j*n+i] = all[0], all[0]
				all = all[1:]
			}
		}
		out.At[v] = K
	}
	return out, nil
}
