package summary

import (
	"strings"
	"testing"

	"ogdl/internal/test/must"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawParams draws parameters of few names and values, so that many are alike.
func drawParams(t *rapid.T) Params {
	p := Params{}
	for _, name := range []string{"alpha", "atoms", "init"} {
		switch rapid.IntRange(0, 3).Draw(t, name) {
		case 1:
			p[name] = 1
		case 2:
			p[name] = 0.5
		case 3:
			p[name] = "sample"
		}
	}
	return p
}

// TestOrderOfParams: compareParams is an order, equal exactly for equal parameters, as are keys; a
// parameter that is not there comes first.
func TestOrderOfParams(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawParams(t), drawParams(t), drawParams(t)
		ab := CompareParams(a, b)
		must.Check(t, ab, -CompareParams(b, a), "%v and %v, and the other way around", a, b)
		if (ab == 0) != cmp.Equal(a, b) || (ab == 0) != (a.Key() == b.Key()) {
			t.Errorf("%v and %v: %d, keys %q and %q", a, b, ab, a.Key(), b.Key())
		}
		if ab <= 0 && CompareParams(b, c) <= 0 && CompareParams(a, c) > 0 {
			t.Errorf("%v, %v, %v: no order", a, b, c)
		}
	})
	less, more := Params{}, Params{"alpha": 1}
	must.Check(t, CompareParams(less, more), -1, "a parameter that is not there, which comes first")
}

// A parameter that only some configurations have tells them apart where nothing
// else does.
func TestVarying(t *testing.T) {
	ps := func(maps ...map[string]any) []Params {
		var out []Params
		for _, m := range maps {
			out = append(out, m)
		}
		return out
	}
	for _, c := range []struct {
		name string
		all  []Params
		want string
	}{
		{"none", nil, ""},
		{"one", ps(map[string]any{"a": 1}), ""},
		{"two values", ps(map[string]any{"a": 1, "b": 1}, map[string]any{"a": 2, "b": 1}), "a"},
		{"decided by another", ps(map[string]any{"labels": "kmeans", "kmeans_tol": 1}, map[string]any{"labels": "discretise"}), "labels"},
		{"either of two", ps(map[string]any{"atoms": 4, "epochs": 1}, map[string]any{"atoms_per_class": 2, "epochs": 1}), "atoms"},
		{"three ways", ps(map[string]any{"a": 1}, map[string]any{"b": 1}, map[string]any{}), "a b"},
		{"values and presence", ps(map[string]any{"a": 1}, map[string]any{"a": 2}, map[string]any{"b": 1}), "a"},
	} {
		must.Check(t, strings.Join(Varying(c.all), " "), c.want, "%s", c.name)
	}
}
