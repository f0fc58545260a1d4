package spec

import (
	"strings"
	"testing"

	"ogdl/internal/test/must"
)

func TestDidYouMean(t *testing.T) {
	known := []string{"alpha", "atoms", "lambda", "GDL", "GW-k", "-report", "MUTAG", "node_weights"}
	for word, want := range map[string]string{
		"alhpa": "alpha", "lamda": "lambda", "lambdas": "lambda", "gdl": "GDL", "GLD": "GDL", "-reprot": "-report", "MUTGA": "MUTAG", "atom": "atoms",
		"": "", "x": "", "completely other": "", "zeta": "", "step_weights": "", strings.Repeat("a", 100): "",
	} {
		if want != "" {
			want = "; did you mean " + want + "?"
		}
		must.Check(t, DidYouMean(word, known), want, "%q", word)
	}
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"abc", "acb", 1}, {"kitten", "sitting", 3}, {"ab", "ba", 1}} {
		if got := editDistance(c.a, c.b); got != c.want || editDistance(c.b, c.a) != got {
			t.Errorf("%q, %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
