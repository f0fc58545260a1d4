package classify

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ogdl/datasets"
	"ogdl/eval/nested"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/test/must"
)

// TestBestEpoch: means over folds of different sizes are compared as fractions, and the first of equal ones is taken.
func TestBestEpoch(t *testing.T) {
	for _, c := range []struct {
		right [][]int
		sizes []int
		want  int
	}{
		{[][]int{{1, 3, 2, 3}}, []int{4}, 1},
		{[][]int{{0, 0}}, []int{3}, 0},
		{[][]int{{2, 1}, {1, 2}}, []int{3, 3}, 0},  // equal
		{[][]int{{2, 1}, {1, 2}}, []int{10, 9}, 1}, // 1/9 counts more than 1/10
		{[][]int{{2, 1}, {1, 2}}, []int{9, 10}, 0},
		{[][]int{{19, 18, 19}, {18, 19, 19}, {3, 3, 2}}, []int{19, 19, 113}, 2},
	} {
		must.Check(t, bestEpoch(c.right, c.sizes), c.want, "%v of %v: epoch", c.right, c.sizes)
	}
}

// rings and stars with labels, of two classes.
func labelled(n int) *datasets.Dataset {
	d := &datasets.Dataset{Name: "LABELLED", ClassValues: []int{0, 1}, LabelValues: [][]int{{3, 7}}, AttributeDim: 1}
	for k := range n {
		g := datasets.Graph{Neighbors: make([][]int32, 5), Labels: [][]int{{3, 7, 3, 3, 7}}, Attributes: []float64{1, 2, 3, 4, float64(k)}}
		for i := 1; i < 5; i++ {
			j := (i - 1) * (k % 2)
			g.Neighbors[i], g.Neighbors[j] = append(g.Neighbors[i], int32(j)), append(g.Neighbors[j], int32(i))
		}
		for _, list := range g.Neighbors {
			slices.Sort(list)
		}
		d.Graphs, d.Classes = append(d.Graphs, g), append(d.Classes, k%2)
	}
	return d
}

// ginTask asks for a small network on them.
func ginTask(t *testing.T, d *datasets.Dataset, given spec.Values) *method.Task {
	t.Helper()
	m := ginMethod().Method
	v := spec.Values{"hidden": int64(4), "layers": int64(2), "epochs": int64(4)}
	for name, x := range given {
		v[name] = x
	}
	v, unused := m.Complete(v)
	if len(unused) > 0 {
		t.Fatal(unused)
	}
	return &method.Task{Params: v, Data: d, Cell: &spec.Cell{Method: &m, Dataset: d.Name, Params: v, Seed: 1}}
}

// TestGINInputs: labels where the data have them, degrees where they have none or where asked, attributes where asked.
func TestGINInputs(t *testing.T) {
	d := labelled(2)
	bare := *d
	bare.LabelValues, bare.Graphs = nil, slices.Clone(d.Graphs)
	for i := range bare.Graphs {
		bare.Graphs[i].Labels = nil
	}
	degrees := []float64{0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0} // of a star, among the degrees 1, 2 and 4
	for _, c := range []struct {
		of    *datasets.Dataset
		given spec.Values
		want  []float64
	}{
		{d, nil, []float64{1, 0, 0, 1, 1, 0, 1, 0, 0, 1}},
		{&bare, nil, degrees},
		{d, spec.Values{"inputs": inputsDegrees}, degrees},
		{d, spec.Values{"inputs": inputsAttributes}, []float64{1, 2, 3, 4, 0}},
	} {
		graphs, err := ginGraphs(c.of, ginTask(t, c.of, c.given).Params)
		if err != nil || !slices.Equal(graphs[0].Inputs, c.want) {
			t.Errorf("%v: inputs %v, want %v, %v", c.given, graphs[0].Inputs, c.want, err)
		}
	}
	if _, err := ginGraphs(&datasets.Dataset{Graphs: bare.Graphs}, ginTask(t, d, spec.Values{"inputs": inputsAttributes}).Params); err == nil {
		t.Error("attributes that are not there: no error")
	}
}

// TestPartition: each graph is tested by one repetition of ten, and every fold has its share of each class.
func TestPartition(t *testing.T) {
	task := ginTask(t, labelled(52), nil)
	tested := make([]int, 52)
	for r := range 20 {
		s := must.Get(Split(task, r))
		ones := 0
		for _, i := range s.Test {
			tested[i] += 1 + 99*(r/10)
			ones += i % 2
		}
		if len(s.Train)+len(s.Test) != 52 || len(s.Fold) != len(s.Train) || ones < 2 || ones > 3 || len(s.Test)-ones < 2 || len(s.Test)-ones > 3 {
			t.Errorf("repetition %d: %+v", r, s)
		}
	}
	for i, n := range tested {
		must.Check(t, n, 101, "graph %d", i)
	}
}

// TestSmallClasses: what is told before anything runs is what the splits of some repetition lack, class by class.
func TestSmallClasses(t *testing.T) {
	for _, c := range []struct {
		folds   string
		members []int
		want    string // in the message; "" where all splits work
	}{
		{foldsPartition, []int{12, 12}, ""},
		{foldsPartition, []int{12, 3}, ""},
		{foldsPartition, []int{11, 11}, ""},
		{foldsPartition, []int{10, 10}, `10 graphs of class "0", of which a training part may have 9: must be one at least for each of the 10 inner folds`},
		{foldsReleased, []int{12, 12}, ""},
		{foldsReleased, []int{51, 11}, ""},
		{foldsReleased, []int{51, 2}, ""},
		{foldsReleased, []int{51, 1}, `LABELLED has 1 graph of class "1": must be 2 at least`},
		{foldsReleased, []int{11, 11}, ""},
		{foldsReleased, []int{10, 10}, `10 graphs of class "0", of which a training part may have 9`},
		{foldsReleased, []int{19, 11, 11}, ""},
		{foldsReleased, []int{12, 3, 2}, "17 graphs, of which 2 are tested: must be one at least for each of its 3 classes"},
		{foldsDrawn, []int{12, 12, 12}, ""},
		{foldsDrawn, []int{51, 11}, ""},
		{foldsDrawn, []int{51, 4}, ""},
		{foldsDrawn, []int{10, 10}, `10 graphs of class "0", of which a training part may have 9`},
	} {
		n := 0
		d := &datasets.Dataset{Name: "LABELLED"}
		for k, members := range c.members {
			n += members
			d.ClassValues, d.Classes = append(d.ClassValues, k), append(d.Classes, slices.Repeat([]int{k}, members)...)
		}
		task := ginTask(t, d, spec.Values{"folds": c.folds})
		task.Params[spec.DatasetKey] = d.Name
		key, want := checkClasses(task.Params, spec.Counts{Graphs: n, Classes: len(c.members), Data: d})
		if !strings.Contains(want, c.want) || (want == "") != (c.want == "") || key != "" && key != spec.DatasetKey {
			t.Errorf("%s, %v: %s: %q", c.folds, c.members, key, want)
		}
		failed := 0
		for r := range 100 {
			s, err := Split(task, r)
			if err != nil {
				failed++
			} else if least := slices.Min(c.members); least != 11 && (FewInFolds(task, s) != nil) != (least < 11) { // of 11 the test part may take one or two
				t.Errorf("%s, %v: notes %q", c.folds, c.members, FewInFolds(task, s))
			}
		}
		if (failed > 0) != (want != "") {
			t.Errorf("%s, %v: %d of 100 splits fail, and the check says %q", c.folds, c.members, failed, want)
		}
	}
}

// ginSplit is the first split, with the network.
func ginSplit(t *testing.T, task *method.Task) (*nested.Split, trainer) {
	t.Helper()
	s := must.Get(Split(task, 0))
	train := must.Get(ginTrainer(task))
	return s, train
}

// TestGINSeesNoTestLabel: other classes of the test graphs change nothing that is predicted or chosen by; those of the training part do.
func TestGINSeesNoTestLabel(t *testing.T) {
	for _, on := range []string{onTest, onTenth} {
		d := labelled(40)
		task := ginTask(t, d, spec.Values{"epoch_chosen_on": on, "batch": int64(8)})
		s, network := ginSplit(t, task)
		train := func() (loss []float64, held, test []int) {
			f := must.Get(trainFold(context.Background(), task, network, s, rand.New(rand.NewPCG(1, 1))))
			return f.Loss, f.Held, f.Test
		}
		loss, held, test := train()
		for _, i := range s.Test {
			d.Classes[i] = 1 - d.Classes[i]
		}
		l, h, p := train()
		if !slices.Equal(l, loss) || !slices.Equal(h, held) || !slices.Equal(p, test) {
			t.Errorf("%s: classes of test graphs matter", on)
		}
		for _, i := range s.Train {
			d.Classes[i] = 1 - d.Classes[i]
		}
		if l, _, _ = train(); slices.Equal(l, loss) {
			t.Errorf("%s: classes of training graphs do not matter", on)
		}
		if len(test) != 4*len(s.Test) || (on == onTest) != (slices.Max(held) == 0) {
			t.Errorf("%s: %d predictions, %v held out", on, len(test), held)
		}
	}
}

// TestGINDropsNothing: a dropout and a halving of 0 are asked for, not the defaults.
func TestGINDropsNothing(t *testing.T) {
	d := labelled(40)
	losses := map[float64]bool{}
	for _, given := range []spec.Values{{"dropout": 0.0}, {}, {"halve_every": int64(0), "dropout": 0.0, "epochs": int64(60)}, {"dropout": 0.0, "epochs": int64(60)}} {
		task := ginTask(t, d, given)
		s, network := ginSplit(t, task)
		f := must.Get(trainFold(context.Background(), task, network, s, rand.New(rand.NewPCG(1, 1))))
		losses[f.Loss[len(f.Loss)-1]] = true
	}
	must.Check(t, len(losses), 4, "count of last losses %v", losses)
}
