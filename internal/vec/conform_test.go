package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/test/must"
)

// special is what decides about bits.
var special = []float64{0, math.Copysign(0, -1), 1, -1, 1e-310, -1e-310, 5e-324, 1e300, -1e300, math.Inf(1), math.Inf(-1), math.NaN()}

// draw fills x: with numbers near 1, or among them the special ones.
func draw(rng *rand.Rand, x []float64, wild bool) {
	for i := range x {
		x[i] = rng.NormFloat64()
		if wild && rng.IntN(4) == 0 {
			x[i] = special[rng.IntN(len(special))]
		}
	}
}

// each runs a check on many lengths, with ordinary and special numbers.
func each(t *testing.T, limit int, check func(t *testing.T, rng *rand.Rand, n int, wild bool)) {
	if !fast {
		t.Skip("this build or processor has no kernels in assembly")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range limit + 1 {
		for _, wild := range []bool{false, true} {
			check(t, rng, n, wild)
			reuse()
		}
	}
}

// sameBits compares bits; conformance tests want the bits of the Go code. NaN is NaN.
func sameBits(t must.TB, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) && !(math.IsNaN(got[i]) && math.IsNaN(want[i])) {
			t.Fatalf("%s: entry %d of %d is %v, want %v", what, i, len(want), got[i], want[i])
		}
	}
}

// twice runs the two kernels on copies of y at the end of a page and compares what they leave in them.
func twice(t *testing.T, what string, y []float64, quick, plain func(y []float64)) {
	t.Helper()
	got, want := page(t, len(y)), append([]float64(nil), y...)
	copy(got, y)
	quick(got)
	plain(want)
	sameBits(t, what, got, want)
}

func TestConformRows(t *testing.T) {
	each(t, 260, func(t *testing.T, rng *rand.Rand, n int, wild bool) {
		var x [4][]float64
		for k := range x {
			x[k] = page(t, n)
			draw(rng, x[k], wild)
		}
		y, c := make([]float64, n), make([]float64, 4)
		draw(rng, y, wild)
		draw(rng, c, wild)
		name := func(s string) string { return fmt.Sprintf("%s, %d entries", s, n) }
		twice(t, name("Axpy"), y, func(y []float64) { Axpy(c[0], x[0], y) }, func(y []float64) { axpy(c[0], x[0], y) })
		twice(t, name("AxpyInTurn"), y, func(y []float64) { AxpyInTurn(c[0], c[1], c[2], c[3], x[0], x[1], x[2], x[3], y) }, func(y []float64) {
			for k := range x {
				axpy(c[k], x[k], y)
			}
		})
		twice(t, name("Lerp"), y, func(y []float64) { Lerp(c[0], x[0], y) }, func(y []float64) { lerp(c[0], x[0], y) })
		twice(t, name("Scale"), y, func(y []float64) { Scale(c[0], y) }, func(y []float64) { scale(c[0], y) })
		twice(t, name("Add"), y, func(y []float64) { Add(x[0], y) }, func(y []float64) { add(x[0], y) })
		sameBits(t, name("Dot"), []float64{Dot(x[0], x[1])}, []float64{dot(x[0], x[1])})
		state := append(append(append([]float64(nil), x[1]...), x[2]...), x[3]...) // x, m and v
		for i := range n {
			if v := &state[2*n+i]; !wild {
				*v = math.Abs(*v)
			}
			if i%5 == 0 { // no moment, with a gradient or without
				state[n+i] = 0
			}
		}
		rules := &AdamRules{Beta1: 0.9, Beta2: 0.99, By1: 3, By2: 7, Step: 0.1, Epsilon: 1e-15}
		slope := page(t, n)
		for i := range slope {
			slope[i] = x[0][i] * float64(i%3)
		}
		twice(t, name("Adam"), state, func(s []float64) { Adam(s[:n], s[n:2*n], s[2*n:], slope, rules) },
			func(s []float64) { adam(s[:n], s[n:2*n], s[2*n:], slope, rules) })

		rows := [][]float64{x[0], x[1], x[2], x[3], x[1], y}
		twice(t, name("Dots"), make([]float64, len(rows)), func(out []float64) { Dots(rows, x[0], out) }, func(out []float64) {
			for k, row := range rows {
				out[k] = dot(row, x[0])
			}
		})
		sameBits(t, name("Sum"), []float64{Sum(x[0])}, []float64{sum(x[0])})
	})
}

// TestConformOffsets has vectors begin anywhere in a line of the cache.
func TestConformOffsets(t *testing.T) {
	each(t, 40, func(t *testing.T, rng *rand.Rand, n int, wild bool) {
		x, y := page(t, n+4), page(t, n+4)
		draw(rng, x, wild)
		draw(rng, y, wild)
		for i := range 4 {
			for j := range 4 {
				x, y := x[i:i+n], y[j:j+n]
				sameBits(t, "Dot", []float64{Dot(x, y)}, []float64{dot(x, y)})
				twice(t, "Axpy", y, func(y []float64) { Axpy(2.5, x, y) }, func(y []float64) { axpy(2.5, x, y) })
			}
		}
	})
}

func TestConformProducts(t *testing.T) {
	each(t, 60, func(t *testing.T, rng *rand.Rand, n int, wild bool) {
		rows, inner, ld := 1+rng.IntN(9), n, 4*(1+rng.IntN(40))
		b, x := page(t, rows*inner), page(t, inner*ld)
		draw(rng, b, wild)
		draw(rng, x, wild)
		out := make([]float64, rows*ld)
		draw(rng, out, wild)
		if inner > 0 {
			twice(t, "MulDense", out, func(o []float64) { MulDense(b, inner, 1, rows, inner, x, ld, o, ld, ld) },
				func(o []float64) { dense(b, inner, 1, rows, inner, x, ld, o, ld, ld) })
			twice(t, "MulDense, transposed", out, func(o []float64) { MulDense(b, 1, rows, rows, inner, x, ld, o, ld, ld) },
				func(o []float64) { dense(b, 1, rows, rows, inner, x, ld, o, ld, ld) })
			twice(t, "MulInOrder", out, func(o []float64) { MulInOrder(b, inner, 1, rows, inner, x, ld, o, ld, ld) },
				func(o []float64) { inOrder(b, inner, 1, rows, inner, x, ld, o, ld, ld) })
			twice(t, "MulInOrder, transposed", out, func(o []float64) { MulInOrder(b, 1, rows, rows, inner, x, ld, o, ld, ld) },
				func(o []float64) { inOrder(b, 1, rows, rows, inner, x, ld, o, ld, ld) })
		}
		if inner > 0 { // many zeros, and X finite
			few, finite := page(t, rows*inner), page(t, inner*ld)
			copy(few, b)
			draw(rng, finite, false)
			for k := range few {
				if rng.IntN(12) > 0 || k/inner == rows/2 { // zeros in the middle choose the kernel for them
					few[k] = 0
				}
			}
			mul := func(o []float64) { MulFew(few, inner, rows, inner, finite, ld, o, ld, ld) }
			twice(t, "MulFew", out, mul, func(o []float64) { denseFew(few, inner, rows, inner, finite, ld, o, ld, ld) })
			twice(t, "MulFew as MulDense", make([]float64, len(out)), mul,
				func(o []float64) { dense(few, inner, 1, rows, inner, finite, ld, o, ld, ld) })
		}
		ptr, col, val := []int32{0}, []int32{}, []float64{}
		for range rows {
			for k := range inner {
				if rng.IntN(2) == 0 {
					col, val = append(col, int32(k)), append(val, rng.NormFloat64())
				}
			}
			ptr = append(ptr, int32(len(col)))
		}
		f := []float64{1, 0.3}[rng.IntN(2)]
		twice(t, "MulEqual", out, func(o []float64) { MulEqual(f, ptr, col, x, o, ld) }, func(o []float64) { equal(f, ptr, col, x, o, ld) })
		twice(t, "MulSparse", out, func(o []float64) { MulSparse(ptr, col, val, x, o, ld) }, func(o []float64) { sparse(ptr, col, val, x, o, ld) })

		mass, src, dst := page(t, n), make([]int32, n), make([]int32, n)
		draw(rng, mass, wild)
		for e := range mass {
			src[e], dst[e] = int32(rng.IntN(max(1, inner))), int32(rng.IntN(rows))
		}
		width := 1 + rng.IntN(ld)
		twice(t, "Scatter", out, func(o []float64) { Scatter(-3, mass, src, dst, x, ld, o, ld, width) }, func(o []float64) {
			for e, m := range mass {
				axpy(float64(-3*m), x[int(src[e])*ld:][:width], o[int(dst[e])*ld:][:width])
			}
		})

		at := page(t, inner*ld)
		draw(rng, at, wild)
		a := page(t, inner)
		draw(rng, a, wild)
		twice(t, "Distances", make([]float64, ld), func(o []float64) { Distances(0.3, a, at, ld, o) }, func(o []float64) {
			if len(a) > 0 {
				distances(0.3, a, at, ld, o)
			}
		})
		naive := make([]float64, ld)
		for j := range naive {
			for k, v := range a {
				e := v - at[k*ld+j]
				naive[j] += float64(e * e)
			}
			naive[j] *= 0.3
		}
		twice(t, "Distances, one by one", make([]float64, ld), func(o []float64) { Distances(0.3, a, at, ld, o) }, func(o []float64) { copy(o, naive) })

		ldn := (n + 3) &^ 3
		c, p := page(t, n*ldn), page(t, n)
		draw(rng, p, wild)
		for i := range n {
			for j := range i + 1 {
				v := rng.NormFloat64()
				c[i*ldn+j], c[j*ldn+i] = v, v
			}
		}
		cp, c2p := page(t, ldn), page(t, ldn)
		Moments(c, ldn, p, cp, c2p)
		for i := range n {
			s, s2 := 0.0, 0.0
			for j, w := range p {
				v := float64(c[i*ldn+j] * w)
				s += v
				s2 += float64(c[i*ldn+j] * v)
			}
			sameBits(t, "Moments", []float64{cp[i], c2p[i]}, []float64{s, s2})
		}
	})
}

func TestConformPrice(t *testing.T) {
	each(t, 130, func(t *testing.T, rng *rand.Rand, n int, wild bool) {
		if n == 0 {
			return
		}
		for range 20 {
			rows, ld := 1+rng.IntN(7), n+rng.IntN(5)
			c, v, pi := page(t, (rows-1)*ld+n), page(t, n), page(t, rows)
			draw(rng, c, wild)
			draw(rng, v, wild)
			draw(rng, pi, wild && rng.IntN(2) == 0)
			for i := range c { // ties
				if rng.IntN(3) == 0 {
					c[i] = math.Round(c[i])
				}
			}
			for i := range v {
				v[i] = math.Round(v[i])
			}
			for i := range pi {
				pi[i] += 2.5
			}
			i, clean, eps := rng.IntN(rows), rng.IntN(rows), float64(rng.IntN(3))/4
			r, j, s := Price(c, ld, v, pi, eps, i, clean)
			r2, j2, s2 := price(c, ld, v, pi, eps, i, clean)
			if j != j2 || s != s2 || (j >= 0 && r != r2) {
				t.Fatalf("Price of %d x %d: row %d, column %d, %d seen; in Go %d, %d, %d", rows, n, r, j, s, r2, j2, s2)
			}
			limit := []float64{math.Inf(1), 0, -1, pi[0]}[rng.IntN(4)]
			if got, want := Least(c[:n], v, limit), least(c[:n], v, limit); got != want {
				t.Fatalf("Least of %d: %d, in Go %d", n, got, want)
			}
		}
	})
}

func TestConformPaths(t *testing.T) {
	each(t, 130, func(t *testing.T, rng *rand.Rand, n int, wild bool) {
		padded := (n + 3) &^ 3
		for range 10 {
			x, v := page(t, n), page(t, padded)
			draw(rng, x, wild)
			draw(rng, v, wild)
			for i := range x { // ties
				if rng.IntN(2) == 0 {
					x[i], v[i] = math.Round(x[i]), math.Round(v[i])
				}
			}
			y := make([]float64, 2*n)
			draw(rng, y, wild)
			twice(t, "Survey", y, func(y []float64) { Survey(x, y[n:], y[:n]) }, func(y []float64) { survey(x, y[n:], y[:n]) })

			d := make([]float64, padded)
			draw(rng, d, wild)
			for i := range d {
				if rng.IntN(2) == 0 {
					d[i] = math.Inf(1)
				}
			}
			for i := n; i < padded; i++ {
				v[i], d[i] = math.Inf(-1), math.Inf(1)
			}
			var at [2]int
			var from [2][]int64
			run := func(k int, f func(c, v, d []float64, from []int64, shift float64, i int64) int) func(d []float64) {
				from[k] = make([]int64, padded)
				return func(d []float64) { at[k] = f(x, v, d, from[k], 0.5, 7) }
			}
			twice(t, fmt.Sprintf("Relax, %d entries", n), d, run(0, Relax), run(1, relax))
			if at[0] != at[1] || !slices.Equal(from[0], from[1]) {
				t.Fatalf("Relax, %d entries: %d from %v, in Go %d from %v", n, at[0], from[0], at[1], from[1])
			}
		}
	})
}

func TestConformShift(t *testing.T) {
	each(t, 300, func(t *testing.T, rng *rand.Rand, n int, wild bool) {
		y := make([]float64, 64)
		draw(rng, y, wild)
		word := rng.Uint64()
		if n < 64 {
			word &= 1<<n - 1
		}
		if rng.IntN(2) == 0 {
			word &= rng.Uint64()
		}
		twice(t, "Shift", y, func(y []float64) { Shift(y, word, 1.25) }, func(y []float64) { shift(y, word, 1.25) })
	})
}

// TestProductsByColumns holds that a column of a product does not depend on those beside it, also where a matrix is so
// large that its columns are taken a few at a time.
func TestProductsByColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	const rows, inner, width = 7, 700, 180
	b, x := make([]float64, rows*inner), make([]float64, inner*width)
	draw(rng, b, false)
	draw(rng, x, false)
	ptr, col, val := []int32{0}, []int32{}, []float64{}
	for range rows {
		for k := range inner {
			if rng.IntN(2) == 0 {
				col, val = append(col, int32(k)), append(val, rng.NormFloat64())
			}
		}
		ptr = append(ptr, int32(len(col)))
	}
	for name, mul := range map[string]func(x, out []float64, ld int){
		"MulDense":   func(x, out []float64, ld int) { MulDense(b, inner, 1, rows, inner, x, ld, out, ld, ld) },
		"MulInOrder": func(x, out []float64, ld int) { MulInOrder(b, 1, rows, rows, inner, x, ld, out, ld, ld) },
		"MulEqual":   func(x, out []float64, ld int) { MulEqual(0.3, ptr, col, x, out, ld) },
		"MulSparse":  func(x, out []float64, ld int) { MulSparse(ptr, col, val, x, out, ld) },
	} {
		whole := make([]float64, rows*width)
		mul(x, whole, width)
		xs, few := make([]float64, inner*4), make([]float64, rows*4)
		for j := 0; j < width; j += 4 {
			for k := range inner {
				copy(xs[k*4:k*4+4], x[k*width+j:])
			}
			clear(few)
			mul(xs, few, 4)
			for i := range rows {
				sameBits(t, name, whole[i*width+j:i*width+j+4], few[i*4:i*4+4])
			}
		}
	}
}
