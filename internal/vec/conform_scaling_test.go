package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ogdl/internal/test/must"
)

// positive fills x with numbers >= 0, some of them zero.
func positive(rng *rand.Rand, x []float64, wild, zeros bool) {
	draw(rng, x, wild)
	for i := range x {
		x[i] = math.Abs(x[i])
		if zeros && rng.IntN(6) == 0 {
			x[i] = 0
		}
	}
}

// both runs a kernel in assembly and in Go on copies of its outputs at the ends of pages, and compares them and what is returned.
func both(t *testing.T, what string, out [][]float64, quick, plain func(out [][]float64) []float64) {
	t.Helper()
	got, want := make([][]float64, len(out)), make([][]float64, len(out))
	for i, x := range out {
		got[i], want[i] = page(t, len(x)), append([]float64(nil), x...)
		copy(got[i], x)
	}
	sameBits(t, what+", returned", quick(got), plain(want))
	for i := range out {
		sameBits(t, fmt.Sprintf("%s, output %d", what, i), got[i], want[i])
	}
}

func TestConformSweep(t *testing.T) {
	each(t, 130, func(t *testing.T, rng *rand.Rand, n int, wild bool) {
		if n == 0 {
			return
		}
		for range 3 {
			ld, rows := (n+3)&^3, 1+rng.IntN(14)
			k, b, wa, wb := page(t, rows*ld), page(t, ld), page(t, rows), page(t, ld)
			positive(rng, k, wild && n%3 == 0, false)
			positive(rng, b, wild && n%3 == 0, false)
			positive(rng, wa, wild && n%5 == 0, rng.IntN(2) == 0)
			positive(rng, wb, wild && n%5 == 0, rng.IntN(2) == 0)
			for j := n; j < ld; j++ {
				b[j], wb[j] = 0, 0
			}
			a := make([]float64, rows)
			for i := range a {
				a[i] = float64(i)
			}
			low, high := 1e-3, 1e3
			if wild {
				low, high = 0, math.Inf(1)
			}
			run := func(f func(k []float64, ld int, wa, wb, a, b, next []float64, low, high float64) (float64, bool)) func(out [][]float64) []float64 {
				return func(out [][]float64) []float64 {
					err, ok := f(k, ld, wa, wb, out[0], b, out[1], low, high)
					if !ok { // nothing else has a meaning then
						clear(out[0])
						clear(out[1])
						return []float64{0, 0}
					}
					return []float64{err, 1}
				}
			}
			both(t, fmt.Sprintf("Sweep of %d x %d", rows, n), [][]float64{a, make([]float64, ld)}, run(Sweep), run(sweep))
			ask := func(f func(w, x []float64, low, high float64) bool) func(out [][]float64) []float64 {
				return func(out [][]float64) []float64 {
					if !f(wb, out[0], low, high) {
						clear(out[0])
						return []float64{0}
					}
					return []float64{1}
				}
			}
			both(t, "Quotients", [][]float64{append([]float64(nil), b...)}, ask(Quotients), ask(quotients))
			plan0 := make([]float64, rows*ld)
			draw(rng, plan0, wild)
			draw(rng, a, wild)
			both(t, "Plan", [][]float64{plan0}, func(out [][]float64) []float64 {
				err, change := Plan(k, ld, wa, a, b, out[0])
				return []float64{err, change}
			}, func(out [][]float64) []float64 {
				err, change := plan(k, ld, wa, a, b, out[0])
				return []float64{err, change}
			})
			both(t, "Plan in place", [][]float64{k}, func(out [][]float64) []float64 {
				err, _ := Plan(out[0], ld, wa, a, b, out[0])
				return []float64{err}
			}, func(out [][]float64) []float64 {
				err, _ := plan(out[0], ld, wa, a, b, out[0])
				return []float64{err}
			})
		}
	})
}

// TestSweepSums holds a sweep against its definition.
func TestSweepSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := 1; n < 40; n++ {
		ld, rows := (n+3)&^3, 2+rng.IntN(20)
		k, b, wa, wb := make([]float64, rows*ld), make([]float64, ld), make([]float64, rows), make([]float64, ld)
		for i := range rows {
			for j := range n {
				k[i*ld+j] = 0.1 + rng.Float64()
			}
		}
		for j := range n {
			b[j], wb[j] = 0.1+rng.Float64(), rng.Float64()
		}
		for i := range wa {
			wa[i] = rng.Float64()
		}
		wa[rng.IntN(rows)] = 0
		a, next := make([]float64, rows), make([]float64, ld)
		for i := range a {
			a[i] = 1
		}
		err, ok := Sweep(k, ld, wa, wb, a, b, next, 1e-100, 1e100)
		want, columns := 0.0, make([]float64, n)
		for i, w := range wa {
			sum := 0.0
			for j := range n {
				sum += k[i*ld+j] * b[j]
			}
			if w == 0 {
				continue
			}
			want += math.Abs(sum - w)
			must.Within(t, a[i]*sum, w, 1e-14, "%d x %d: row %d sums to", rows, n, i)
			for j := range columns {
				columns[j] += a[i] * k[i*ld+j]
			}
		}
		must.Equal(t, ok, true, "%d x %d: within bounds", rows, n)
		must.Within(t, err, want, 1e-12, "%d x %d: error", rows, n)
		for j, c := range columns {
			if c > 0 {
				must.Within(t, next[j]*c, wb[j], 1e-14, "%d x %d: column %d sums to", rows, n, j)
			}
		}
	}
}

func TestConformExponents(t *testing.T) {
	each(t, 260, func(t *testing.T, rng *rand.Rand, n int, wild bool) {
		ld, ldl, rows := (n+3)&^3, n+rng.IntN(3), 1+rng.IntN(5)
		if n == 0 {
			return
		}
		wide, f, g := make([]float64, (rows-1)*ldl+n), page(t, rows), page(t, n)
		l, p, base, gs := make([]float64, rows*ld), page(t, rows*ld), page(t, rows*ld), page(t, ld)
		for _, x := range [][]float64{l, p, base, f, g, gs, wide} {
			draw(rng, x, wild)
		}
		for i := range l {
			if rng.IntN(3) == 0 {
				l[i] *= 800 // beyond what has an exponential
			}
		}
		k, col := make([]float64, (rows-1)*ld+n), make([]float64, n)
		name := fmt.Sprintf("%d x %d", rows, n)
		for range 2 { // too high, then not
			both(t, "TiltExp of "+name, [][]float64{l, make([]float64, rows*ld), make([]float64, ld)}, func(out [][]float64) []float64 {
				TiltExp(out[0], p, base, 2.5, f, gs, out[1], out[2])
				return nil
			}, func(out [][]float64) []float64 {
				tilt(out[0], p, base, 2.5, f, gs, ld)
				expRows(out[0], ld, f, gs, out[1], out[2], ld)
				return nil
			})
			for i, x := range l {
				l[i] = -math.Abs(x)
			}
		}
		x := page(t, len(wide))
		copy(x, wide)
		both(t, "ExpRows of "+name, [][]float64{k, col}, func(out [][]float64) []float64 {
			ExpRows(x, ldl, f, g, out[0], out[1], ld)
			return nil
		}, func(out [][]float64) []float64 {
			expRows(x, ldl, f, g, out[0], out[1], ld)
			for i, y := range x[:n] { // the first row, one by one
				if v := Exp(y + (f[0] + g[i])); v != out[0][i] && !math.IsNaN(v) {
					t.Fatalf("exp of %v is %v, want %v", y+(f[0]+g[i]), out[0][i], v)
				}
			}
			return nil
		})
		row, top := page(t, n), make([]float64, n)
		copy(row, l)
		draw(rng, top, wild)
		room := page(t, ld)
		high, sum := ExpSum(row, g, room)
		wantHigh, wantSum := expSum(row, g, make([]float64, ld))
		if math.IsInf(wantHigh, -1) {
			sum, wantSum = 0, 0
		}
		sameBits(t, "ExpSum of "+name, []float64{high + 0, sum}, []float64{wantHigh + 0, wantSum})
		both(t, "AddMax of "+name, [][]float64{make([]float64, n), top}, func(out [][]float64) []float64 {
			AddMax(f[0], row, out[0], out[1])
			return nil
		}, func(out [][]float64) []float64 {
			addMax(f[0], row, out[0], out[1])
			return nil
		})
		sums := make([]float64, n)
		draw(rng, sums, wild)
		both(t, "ExpLess of "+name, [][]float64{sums}, func(out [][]float64) []float64 {
			ExpLess(row, g, out[0])
			return nil
		}, func(out [][]float64) []float64 {
			expLess(row, g, out[0])
			return nil
		})
		for i := range row {
			row[i] = math.Exp(8 * row[i])
			if wild && rng.IntN(4) == 0 {
				row[i] = special[rng.IntN(len(special))]
			}
		}
		both(t, "LogAdd of "+name, [][]float64{sums}, func(out [][]float64) []float64 {
			LogAdd(row, out[0])
			return nil
		}, func(out [][]float64) []float64 {
			logAdd(row, out[0])
			return nil
		})
	})
}

func TestConformTranspose(t *testing.T) {
	each(t, 65, func(t *testing.T, rng *rand.Rand, n int, wild bool) {
		rows, cols := 1+rng.IntN(37), n
		ld, ldo := cols+rng.IntN(5), rows+rng.IntN(5)
		if n == 0 {
			return
		}
		in := page(t, (rows-1)*ld+cols)
		draw(rng, in, wild)
		out := make([]float64, (cols-1)*ldo+rows)
		twice(t, fmt.Sprintf("Transpose of %d x %d", rows, cols), out,
			func(o []float64) { Transpose(in, ld, rows, cols, o, ldo) }, func(o []float64) { transpose(in, ld, rows, cols, o, ldo) })
		Transpose(in, ld, rows, cols, out, ldo)
		for i := range rows {
			for j := range cols {
				if out[j*ldo+i] != in[i*ld+j] && !math.IsNaN(in[i*ld+j]) {
					t.Fatalf("entry (%d, %d) is %v, want %v", j, i, out[j*ldo+i], in[i*ld+j])
				}
			}
		}
	})
}
