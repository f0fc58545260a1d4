package svm_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"ogdl/eval/svm"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
)

// check compares one fit with LIBSVM's: iterations and offsets of every pair of classes, and predictions of the
// examples from train on.
func check(t *testing.T, p *svm.Problem, K []float64, n, train int, C float64, set *svm.Settings, iterations []int, rho []float64, predictions []int) (equal int) {
	t.Helper()
	m := must.Get(p.Fit(ctx, C, set))
	must.Equal(t, len(m.Pairs), len(rho), "pairs")
	for k, pair := range m.Pairs {
		must.Check(t, pair.Iterations, iterations[k], "pair %d: iterations", k)
		must.Within(t, pair.Rho, rho[k], 1e-12*max(1, math.Abs(rho[k])), "pair %d: rho", k)
		if pair.Rho == rho[k] {
			equal++
		}
	}
	got := must.Get(m.Predict(K[train*n:]))
	for k, want := range predictions {
		must.Check(t, got[k], want, "example %d: predicted", train+k)
	}
	return equal
}

// points draws the points of testdata/fits.py and their classes.
func points(state, n int, labels []int) (x [][]int, y []int) {
	draw := func(m int) int {
		state = (1103515245*state + 12345) % (1 << 31)
		return (state >> 16) % m
	}
	for range n {
		c, at := draw(len(labels)), make([]int, 3)
		for k := range at {
			at[k] = draw(13)
			if k == c%3 {
				at[k] += 3
			}
		}
		x, y = append(x, at), append(y, labels[c])
	}
	return x, y
}

// integerKernel is a kernel of testdata/fits.py.
func integerKernel(t *testing.T, name string, x [][]int) []float64 {
	n := len(x)
	K := make([]float64, n*n)
	for i := range n {
		for j := range n {
			d := 0
			for l := range x[i] {
				d += (x[i][l] - x[j][l]) * (x[i][l] - x[j][l])
			}
			k := &K[i*n+j]
			switch name {
			case "rational":
				*k = 8 / (8 + float64(d))
			case "smooth":
				*k = 512 / (512 + float64(d))
			case "indefinite":
				*k = 1 - math.Sqrt(float64(d))/8
			case "random":
				*k = float64((7*i*j+3*(i+j))%11) / 8
				if i == j {
					*k = 1
				}
			default:
				t.Fatalf("kernel %q", name)
			}
		}
	}
	return K
}

// upTo lists 0..n-1.
func upTo(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// TestLIBSVM compares with fits of scikit-learn: definite and indefinite kernels, two and four classes, small and large C, with
// shrinking and without, precise and capped.
func TestLIBSVM(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/fits.json"))
	var ref struct {
		Problems []struct {
			Kernel string
			Seed   int
			Labels []int
			N      int
			Train  int
			Fits   []struct {
				C, Tol      float64
				Shrinking   bool
				Cap         int
				Iterations  []int
				Rho         []float64
				Support     int
				Predictions []int
			}
		}
	}
	must.Do(t, json.Unmarshal(data, &ref))
	pairs, equal, capped := 0, 0, 0
	var p svm.Problem // one for all sizes
	for k, problem := range ref.Problems {
		n := problem.N
		x, y := points(problem.Seed, n, problem.Labels)
		K := integerKernel(t, problem.Kernel, x)
		for _, f := range problem.Fits {
			t.Run(fmt.Sprintf("%d/%s/C=%v/tol=%v/shrinking=%v/cap=%d", k, problem.Kernel, f.C, f.Tol, f.Shrinking, f.Cap), func(t *testing.T) {
				must.Do(t, p.Reset(K, y, upTo(problem.Train)))
				set := &svm.Settings{Tol: f.Tol, NoShrinking: !f.Shrinking, MaxIter: f.Cap}
				equal += check(t, &p, K, n, problem.Train, f.C, set, f.Iterations, f.Rho, f.Predictions)
				m := must.Get(p.Fit(ctx, f.C, set))
				support := map[int]bool{}
				for _, pair := range m.Pairs {
					pairs++
					if pair.Status == svm.Capped {
						capped++
					}
					if capped := pair.Iterations == f.Cap; capped != (pair.Status == svm.Capped) {
						t.Errorf("%d iterations of %d, %v", pair.Iterations, f.Cap, pair.Status)
					}
					for _, r := range pair.Support {
						support[r] = true
					}
				}
				must.Check(t, len(support), f.Support, "support vectors")
			})
		}
	}
	if capped == 0 {
		t.Error("no fit was capped")
	}
	t.Logf("%d fits, of which %d agree in every bit of the offset", pairs, equal)
}

// TestReferences compares with the reference fits on kernels of MUTAG and ENZYMES, and others.
func TestReferences(t *testing.T) {
	var ref struct {
		Problems []struct {
			Name    string
			Y       []int
			DTri    []float64 `json:"D_tri"`
			KTri    []float64 `json:"K_tri"`
			KrawTri []float64 `json:"Kraw_tri"`
			X       [][]float64
			Fits    []struct {
				C, Gamma, Tol float64
				Shrinking     bool
				Iterations    []int     `json:"n_iter"`
				Intercept     []float64 `json:"intercept"`
				Predictions   []int     `json:"pred"`
				Rows          []int     `json:"train_rows_in_this_order"`
			}
		}
	}
	sharedtest.JSON(t, "classification/svm.json", &ref)
	train := map[string]int{"mutag_rbf": 40, "enzymes_ovo_wl2": 60, "indefinite_random": 40, "indefinite_1m2D": 40, "vectors_rbf": 35}
	first := ref.Problems[0]
	D := square(first.DTri, len(first.Y))
	pairs, equal := 0, 0
	var p svm.Problem
	for _, problem := range ref.Problems {
		y := problem.Y
		if y == nil {
			y = first.Y
		}
		n := len(y)
		for k, f := range problem.Fits {
			t.Run(fmt.Sprintf("%s/%d", problem.Name, k), func(t *testing.T) {
				K := make([]float64, n*n)
				switch problem.Name {
				case "mutag_rbf":
					for i, d := range D {
						K[i] = math.Exp(-f.Gamma * d)
					}
				case "enzymes_ovo_wl2":
					K = square(problem.KrawTri, n)
					roots := make([]float64, n)
					for i := range n {
						roots[i] = math.Sqrt(K[i*n+i])
					}
					for i := range n {
						for j := range n {
							K[i*n+j] /= roots[i] * roots[j]
						}
					}
				case "indefinite_random":
					K = square(problem.KTri, n)
				case "indefinite_1m2D":
					top := 0.0
					for _, d := range D {
						top = max(top, d)
					}
					for i, d := range D {
						K[i] = 1 - float64(2*d)/top
					}
				case "vectors_rbf":
					for i, x := range problem.X {
						for j, z := range problem.X {
							sum := 0.0
							for l := range x {
								sum += float64((x[l] - z[l]) * (x[l] - z[l]))
							}
							K[i*n+j] = math.Exp(-f.Gamma * sum)
						}
					}
				default:
					t.Fatalf("no kernel for %q", problem.Name)
				}
				rows := f.Rows
				if rows == nil {
					rows = upTo(train[problem.Name])
				}
				must.Do(t, p.Reset(K, y, rows))
				rho := f.Intercept
				if len(rho) > 1 {
					for i := range rho {
						rho[i] = -rho[i]
					}
				}
				set := &svm.Settings{Tol: f.Tol, NoShrinking: !f.Shrinking}
				pairs += len(rho)
				equal += check(t, &p, K, n, train[problem.Name], f.C, set, f.Iterations, rho, f.Predictions)
			})
		}
	}
	if pairs < 90 {
		t.Errorf("%d fits, expected 96", pairs)
	}
	t.Logf("%d fits, of which %d agree in every bit of the offset", pairs, equal)
}

// square fills a symmetric matrix from its upper triangle.
func square(triangle []float64, n int) []float64 {
	K := make([]float64, n*n)
	for i := range n {
		for j := i; j < n; j++ {
			K[i*n+j], K[j*n+i] = triangle[0], triangle[0]
			triangle = triangle[1:]
		}
	}
	return K
}
