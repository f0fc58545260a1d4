package product

import (
	"context"
	"maps"
	"slices"

	"ogdl/experiments/internal/spec"
	"ogdl/internal/npz"
)

const (
	kindKernel = "graph_kernel"
	// kernelsVersion is in each kernel's identity. Raise it when kernels or their inputs change.
	kernelsVersion = 1
)

// Kernels are the matrices of a graph kernel, n x n row by row, by the value of its parameter. They are shared and read-only.
type Kernels map[float64][]float64

// Kernel is the product of the matrices of a cell's graphs for several values of the kernel's parameter; one arbitrary value for
// a kernel without a parameter. settings are the other values that decide the matrices.
func Kernel(of *spec.Cell, name string, values []float64, settings map[string]any) spec.Product {
	content := contentOf(of)
	content["version"], content["kernel"], content["values"] = kernelsVersion, name, spec.NumbersText(values)
	maps.Copy(content, settings)
	return spec.Product{Kind: kindKernel, Label: of.Dataset + " kernel " + name, Of: of, Content: content}
}

// Kernels returns the matrices of n graphs that compute computes, together with all cells that wait for them.
func (k *Cache) Kernels(ctx context.Context, p spec.Product, digest string, n int, compute func(context.Context) (Kernels, error),
) (Kernels, error) {
	return fetch(ctx, k, p, digest, func() (*recipe[Kernels, Kernels], error) {
		return &recipe[Kernels, Kernels]{
			blocks:  1,
			compute: func(ctx context.Context, _ int) (Kernels, error) { return compute(ctx) },
			pack:    func(b Kernels) []npz.Array { return packKernels(b, n) },
			unpack:  func(_ int, arrays []npz.Array) (Kernels, error) { return unpackKernels(arrays, n) },
			finish:  func(blocks []Kernels) (Kernels, error) { return blocks[0], nil },
		}, nil
	})
}

// kernelSlots are the arrays of a kernel's one block in the store, for n graphs: values of the parameter, and the upper triangles of their
// matrices, row by row.
func kernelSlots(values, triangles *[]float64, count, n int) []npz.Slot {
	return []npz.Slot{npz.SlotOf("values", values, count), npz.SlotOf("kernel", triangles, count, n*(n+1)/2)}
}

func packKernels(b Kernels, n int) []npz.Array {
	var all []float64
	values := slices.Sorted(maps.Keys(b))
	for _, v := range values {
		for i := range n {
			all = append(all, b[v][i*n+i:(i+1)*n]...)
		}
	}
	return npz.Arrays(kernelSlots(&values, &all, len(values), n)...)
}

func unpackKernels(arrays []npz.Array, n int) (Kernels, error) {
	var values, all []float64
	f := npz.Among(arrays, "a kernel")
	if f.Fill(kernelSlots(&values, &all, f.Length("values"), n)...); f.Err() != nil {
		return nil, f.Err()
	}
	out := Kernels{}
	for _, v := range values {
		K := make([]float64, n*n)
		for i := range n {
			for j := i; j < n; j++ {
				K[i*n+j], K[j*n+i] = all[0], all[0]
				all = all[1:]
			}
		}
		out[v] = K
	}
	return out, nil
}
