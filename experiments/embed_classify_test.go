package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/artifact"
	"ogdl/internal/test/must"
)

// TestEmbedClassifies: classes that an embedding tells apart are told, with an interval; new graphs get a class, and nothing else changes.
func TestEmbedClassifies(t *testing.T) {
	t.Parallel()
	s := ownSession(t, 8, ownConfig("features = \"attributes\"\nalpha = 0.5\n"))
	s.writeTU("NEW", 2, 5)
	s.run(exitOK)
	files := s.stored("*/*.npz")
	at := func(name string) string { return filepath.Join(s.dir, name) }
	s.verb(exitOK, "embed", "-dict", files[0], "-data", at("OWN"), "-out", at("plain"))
	s.verb(exitOK, "embed", "-dict", files[0], "-data", at("OWN"), "-out", at("own"), "-classify", "-new", at("NEW"))
	s.wantOut("classes predicted by an SVM from the other graphs: ", "95 % interval", "the largest class has 33.3 %", "own_new.csv")
	own, plain, more := readArrays(t, at("own.npz")), readArrays(t, at("plain.npz")), readArrays(t, at("own_new.npz"))
	if !slices.Equal(own[artifact.Weights].Float, plain[artifact.Weights].Float) || len(plain["predicted"].Text) != 0 {
		t.Error("-classify changes what is embedded")
	}
	right := func(predicted []string, each int) float64 {
		n := 0.0
		for i, class := range predicted {
			if class == [3]string{"0", "1", "2"}[i/each] {
				n++
			}
		}
		return n / float64(len(predicted))
	}
	must.Check(t, right(own["class"].Text, 8), 1, "classes %v", own["class"].Text)
	if a, b := right(own["predicted"].Text, 8), right(more["predicted"].Text, 5); a < 0.75 || b < 0.75 || len(more["predicted"].Text) != 15 {
		t.Errorf("%v of the graphs and %v of new ones are right", a, b)
	}
	lines := strings.Split(strings.TrimSpace(read(t, at("own_new.csv"))), "\n")
	if !strings.HasPrefix(lines[0], "graph,name,class,predicted,cluster,") || !strings.HasPrefix(lines[3], "2,,0,"+more["predicted"].Text[2]+",") {
		t.Errorf("lines %q", lines[:4])
	}
	before := read(t, at("own.csv"))
	s.verb(exitOK, "embed", "-dict", files[0], "-data", at("OWN"), "-out", at("own"), "-classify", "-force")
	must.Same(t, read(t, at("own.csv")), before, "predictions after new graphs")

	must.Do(t, os.Remove(at("OWN/OWN_graph_labels.txt")))
	s.writeTU("FEW", 1, 3)
	for want, args := range map[string][]string{
		"OWN has no classes": {"-data", at("OWN"), "-classify"},
		`class "0" is too small: two classes need 4 members each, it has 3`: {"-data", at("FEW"), "-classify"},
		"own_new.npz is there": {"-data", at("NEW"), "-new", at("FEW")},
	} {
		out := at("other")
		if strings.HasPrefix(want, "own_new") {
			must.Do(t, os.Remove(at("own.npz")))
			must.Do(t, os.Remove(at("own.csv")))
			out = at("own")
		}
		s.verb(exitFatal, "embed", append([]string{"-dict", files[0], "-out", out}, args...)...).wantErr(want)
		absent(t, at("other.npz"))
	}
}
