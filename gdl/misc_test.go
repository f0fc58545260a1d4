package gdl_test

import (
	"math"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/optim"
	"ogdl/internal/sharedtest"
	"ogdl/ot/gw"
)

type miscFile struct {
	Binary gramPair `json:"mahalanobis_binary"`
	Smooth gramPair `json:"mahalanobis_smooth"`
	Atom   struct {
		GradC, GradA matrix
	} `json:"atom_gradient"`
	Adam struct {
		Atom0 matrix
	} `json:"adam_two_steps"`
	Simplex []struct {
		V, Proj []float64
	} `json:"simplex_projection"`
}

type gramPair struct {
	GW  matrix
	FGW matrix `json:"fgw_alpha0p5"`
}

func near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d entries, want %d", what, len(got), len(want))
	}
	for k, v := range want {
		if !(math.Abs(got[k]-v) <= tol) {
			t.Fatalf("%s: entry %d is %v, want %v", what, k, got[k], v)
		}
	}
}

// differences is the matrix m of order s as a form on differences of atoms, which
// does not depend on what features are relative to.
func differences(m []float64, s int) []float64 {
	out := make([]float64, len(m))
	for i := range s {
		for j := range s {
			out[i*s+j] = (m[i*s+j] - m[i*s]) - (m[j] - m[0])
		}
	}
	return out
}

func TestReferenceMisc(t *testing.T) {
	var misc miscFile
	var stored unmixingFile
	sharedtest.JSON(t, "misc.json", &misc)
	sharedtest.JSON(t, "unmixing_MUTAG.json", &stored)

	for name, want := range map[string]gramPair{"binary": misc.Binary, "smooth": misc.Smooth} {
		near(t, name+" gw", must(stored.dictionary(name, 1).Mahalanobis()), want.GW.flat(), 1e-12)
		d := stored.dictionary(name, 0.5)
		near(t, name+" fgw", differences(must(d.Mahalanobis()), d.S), differences(want.FGW.flat(), d.S), 1e-12)
	}

	gradient := func(alpha float64, graphs []*gw.Space, s int) (c, a []float64) {
		c, a, err := gdl.AtomGradients(stored.dictionary("smooth", alpha), graphs, nil, nil, s)
		if err != nil {
			t.Fatal(err)
		}
		return c, a
	}
	plain, fused := mutag(t, false)[:5], mutag(t, true)[:5]
	scaled := func(x []float64, f float64) []float64 {
		y := make([]float64, len(x))
		for k := range x {
			y[k] = f * x[k]
		}
		return y
	}
	for s := range 4 {
		c, _ := gradient(1, plain, s)
		near(t, "GW gradient of C", c, misc.Atom.GradC.flat(), 1e-12)
		for _, alpha := range []float64{0.25, 0.5, 0.9} {
			c, a := gradient(alpha, fused, s)
			near(t, "FGW gradient of C", c, scaled(misc.Atom.GradC.flat(), alpha), 1e-12)
			near(t, "FGW gradient of A", a, scaled(misc.Atom.GradA.flat(), 1-alpha), 1e-12)
		}
	}

	d := stored.dictionary("smooth", 1)
	adam := optim.NewAdam(100, 0.01, optim.DefaultBeta1, optim.DefaultBeta2, optim.DefaultEpsilon)
	for range 2 {
		adam.Step(d.C[0], misc.Atom.GradC.flat())
		optim.ProjectSymmetric(d.C[0], 10, true)
	}
	near(t, "two Adam steps", d.C[0], misc.Adam.Atom0.flat(), 1e-12)

	for _, p := range misc.Simplex {
		optim.ProjectSimplex(p.V, nil)
		near(t, "simplex projection", p.V, p.Proj, 1e-12)
	}
}
