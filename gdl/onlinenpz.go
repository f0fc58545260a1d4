package gdl

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"ogdl/internal/npz"
	"ogdl/internal/optim"
)

// readingCheckpoint begins errors about checkpoints.
const readingCheckpoint = "gdl: reading a checkpoint"

// maxCount bounds counters that are read, so that they cannot overflow.
const maxCount = 1 << 60

// WriteCheckpoint writes all that a later Run depends on, between calls of Step
// or Run, as an npz archive: the arrays of Dictionary.WriteNPZ, so that ReadNPZ
// reads the dictionary (with the settings as metadata), and
//
//	online            steps, graphs, steps since the last event, 1 where held-out
//	                  losses are due, and the counts of SolveStats but MaxGap
//	online_means      running mean; sum of losses since the last event
//	adam_c, adam_a    S x 2 x N x N and S x 2 x N x D moments
//	adam_h            S x 2 x N moments, where atoms have node weights of their own
//	adam_powers       S x 4 (or 6): beta1^t and beta2^t of structures, of features (and of node weights)
//	detector          its values, in all and since its restart
//	detector_history  the baselines one after the other; detector_lengths: how long
//	detector_state    2 x 2 x 8: S_d and the sums of log-likelihood ratios
//	detector_onset    2 x 8
//
// Equal states give equal bytes. Graphs drawn from a source and not yet learned
// from are not part of it. A learner whose atoms have left the finite numbers
// returns that error.
func (o *Online) WriteCheckpoint(w io.Writer) error {
	arrays, err := o.Arrays()
	if err != nil {
		return err
	}
	return write(w, "a checkpoint", arrays)
}

// Arrays returns the arrays that WriteCheckpoint writes, with the same errors. They are valid until the
// next Step or Run.
func (o *Online) Arrays() ([]npz.Array, error) {
	if o == nil || o.l == nil {
		return nil, errNoLearner
	}
	if o.err != nil {
		return nil, o.err
	}
	d, due := o.l.d, 0
	if o.due {
		due = 1
	}
	arrays, err := d.arrays(o.set.fingerprint(d.H != nil))
	if err != nil {
		return nil, err
	}
	s := &o.stats
	arrays = append(arrays,
		npz.Array{Name: "online", Shape: []int{9}, Int: []int{
			int(o.steps), int(o.graphs), int(o.summed), due,
			int(s.Unmixings), int(s.RoundCaps), int(s.Solves), int(s.CapHits), int(s.Iterations),
		}},
		npz.Array{Name: "online_means", Shape: []int{2}, Float: []float64{o.mean, o.sum}})
	if o.set.Optimizer == Adam {
		tensors := o.l.tensors()
		powers := make([]float64, d.S*2*len(tensors))
		for i, t := range tensors {
			var moments []float64
			for k := range d.S {
				m, v, p1, p2 := t.optimizers[k].(*optim.Adam).Moments()
				moments = append(append(moments, m...), v...)
				copy(powers[2*(k*len(tensors)+i):], []float64{p1, p2})
			}
			if t.size() > 0 {
				arrays = append(arrays, npz.Array{Name: t.name, Shape: append([]int{d.S, 2}, t.shape...), Float: moments})
			}
		}
		arrays = append(arrays, npz.Array{Name: "adam_powers", Shape: []int{d.S, 2 * len(tensors)}, Float: powers})
	}
	if o.detector != nil {
		arrays = append(arrays, o.detector.arrays()...)
	}
	return arrays, nil
}

// tensor is one kind of parameters of the atoms: structures, features or node weights.
type tensor struct {
	name       string // of its moments in a checkpoint
	optimizers []optim.Optimizer
	shape      []int
}

func (t *tensor) size() int {
	n := 1
	for _, k := range t.shape {
		n *= k
	}
	return n
}

func (l *learner) tensors() []tensor {
	ts := []tensor{{"adam_c", l.optC, []int{l.d.N, l.d.N}}, {"adam_a", l.optA, []int{l.d.N, l.d.D}}}
	if l.d.H != nil {
		ts = append(ts, tensor{"adam_h", l.optH, []int{l.d.N}})
	}
	return ts
}

// fingerprint returns the settings that decide a stream's results. It omits settings of reports
// and, if atoms have no node weights of their own, the settings of these weights.
func (s *OnlineSettings) fingerprint(own bool) map[string]string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	u := &s.Unmix
	m := map[string]string{
		"batch":       strconv.Itoa(s.Batch),
		"step_c":      number(s.StepC),
		"step_a":      number(s.StepA),
		"optimizer":   string(s.Optimizer),
		"nonnegative": strconv.FormatBool(s.NonNegative),
		"mean_over":   strconv.Itoa(s.MeanOver),
		"lambda":      number(u.Lambda),
		"max_outer":   strconv.Itoa(u.MaxOuter),
		"tol":         number(u.Tol),
		"w_step":      strconv.Itoa(int(u.WStep)),
		"max_inner":   strconv.Itoa(u.MaxInner),
		"gw_tol_rel":  number(u.GW.TolRel),
		"gw_tol_abs":  number(u.GW.TolAbs),
		"gw_max_iter": strconv.Itoa(u.GW.MaxIter),
		"detector":    "none",
	}
	if len(u.Starts) > 1 { // StartProduct alone is not written: checkpoints had no such setting
		m["starts"] = fmt.Sprint(u.Starts)
	}
	if own {
		m["step_h"], m["mu"] = number(s.StepH), number(u.Mu)
	}
	if s.Optimizer == Adam {
		m["optimizer_beta1"], m["optimizer_beta2"], m["optimizer_epsilon"] = number(s.Adam.Beta1), number(s.Adam.Beta2), number(s.Adam.Epsilon)
	}
	if d := s.Detector; d != nil {
		m["detector"] = fmt.Sprintf("run length %s, window %d, two-sided %v", number(d.RunLength), d.Window, d.TwoSided)
		if d.BurnIn > 0 {
			m["detector"] += fmt.Sprintf(", burn-in %d", d.BurnIn)
		}
	}
	return m
}

// ReadCheckpoint reads what WriteCheckpoint wrote, from an archive of size bytes, into a learner
// that continues bit for bit like the written one, if its stream continues after Graphs graphs. The
// settings must be the same, except OnEvent, Every, HeldOut, HeldOutEvery and Workers. Errors name
// the setting or the array, and what was expected of it.
func ReadCheckpoint(r io.ReaderAt, size int64, set *OnlineSettings) (*Online, error) {
	f, err := npz.Open(r, size, readingCheckpoint)
	if err != nil {
		return nil, err
	}
	return readOnline(f, set)
}

// OnlineFromArrays is ReadCheckpoint for arrays that have been read. The learner may change them.
func OnlineFromArrays(arrays []npz.Array, set *OnlineSettings) (*Online, error) {
	return readOnline(npz.Among(arrays, readingCheckpoint), set)
}

func readOnline(f *npz.Fields, set *OnlineSettings) (*Online, error) {
	if !f.Has("online") {
		f.Fail("online", "is missing; is this a dictionary without its learner?")
		return nil, f.Err()
	}
	d, meta, err := readDictionary(f)
	if err != nil {
		return nil, err
	}
	opt, err := set.resolve()
	if err != nil {
		return nil, err
	}
	want := opt.fingerprint(d.H != nil)
	both := maps.Clone(want)
	maps.Copy(both, meta)
	for _, k := range slices.Sorted(maps.Keys(both)) {
		if want[k] != meta[k] {
			return nil, fmt.Errorf("%s: setting %q is %q there, but %q is asked for", readingCheckpoint, k, meta[k], want[k])
		}
	}
	o, err := NewOnline(d, set)
	if err != nil {
		return nil, err
	}
	o.restore(f)
	if f.Err() != nil {
		return nil, f.Err()
	}
	return o, nil
}

func (o *Online) restore(f *npz.Fields) {
	counts := f.IntsOf("online", 9)
	means := f.FloatsOf("online_means", 2)
	if f.Err() != nil {
		return
	}
	for k, n := range counts {
		if n < 0 || n > maxCount || k == 3 && n > 1 {
			f.Fail("online", "entry %d is %d, expected a count", k, n)
			return
		}
	}
	if counts[1] < counts[0] || counts[2] > counts[0] {
		f.Fail("online", "has %d graphs and %d unreported of %d steps", counts[1], counts[2], counts[0])
	}
	for _, x := range means {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			f.Fail("online_means", "holds %v, expected finite numbers", x)
		}
	}
	o.steps, o.graphs, o.summed, o.due = int64(counts[0]), int64(counts[1]), int64(counts[2]), counts[3] == 1 && len(o.set.HeldOut) > 0
	o.stats = SolveStats{Unmixings: int64(counts[4]), RoundCaps: int64(counts[5]),
		Solves: int64(counts[6]), CapHits: int64(counts[7]), Iterations: int64(counts[8])}
	o.mean, o.sum = means[0], means[1]
	if o.set.Optimizer == Adam {
		o.restoreAdam(f)
	}
	if o.detector != nil {
		o.detector.restore(f)
		if f.Err() == nil && o.detector.count != o.steps {
			f.Fail("detector", "has seen %d losses of %d steps", o.detector.count, o.steps)
		}
	}
}

func (o *Online) restoreAdam(f *npz.Fields) {
	d, tensors := o.l.d, o.l.tensors()
	powers := f.FloatsOf("adam_powers", d.S, 2*len(tensors))
	for i, t := range tensors {
		n, moments := t.size(), []float64(nil)
		if n > 0 {
			moments = f.FloatsOf(t.name, append([]int{d.S, 2}, t.shape...)...)
		}
		if f.Err() != nil {
			return
		}
		for k := range d.S {
			x, p := moments[2*k*n:2*(k+1)*n], powers[2*(k*len(tensors)+i):][:2]
			checkMoments(f, t.name, x)
			for _, v := range p {
				if n > 0 && !(v >= 0 && (v < 1 || o.steps == 0 && v == 1)) { // features that there are not make no steps
					f.Fail("adam_powers", "atom %d has %v, expected powers of numbers in [0, 1) with the exponent %d", k, v, o.steps)
				}
			}
			t.optimizers[k].(*optim.Adam).SetMoments(x[:n], x[n:], p[0], p[1])
		}
	}
}

// checkMoments checks the first and second moments of one tensor.
func checkMoments(f *npz.Fields, name string, x []float64) {
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) || i >= len(x)/2 && v < 0 {
			f.Fail(name, "has a moment %v, expected finite numbers, second moments >= 0", v)
			return
		}
	}
}

// arrays returns the detector's state.
func (d *ChangePointDetector) arrays() []npz.Array {
	lengths, history, state, onset := []int{}, []float64{}, []float64{}, []int{}
	for i := range d.track {
		k := &d.track[i]
		lengths = append(lengths, len(k.history))
		history = append(history, k.history...)
		state = append(append(state, k.ratio[:]...), k.cusum[:]...)
		for _, x := range k.onset {
			onset = append(onset, int(x))
		}
	}
	return []npz.Array{
		{Name: "detector", Shape: []int{2}, Int: []int{int(d.count), int(d.since)}},
		{Name: "detector_lengths", Shape: []int{baselines}, Int: lengths},
		{Name: "detector_history", Shape: []int{len(history)}, Float: history},
		{Name: "detector_state", Shape: []int{baselines, 2, len(shifts)}, Float: state},
		{Name: "detector_onset", Shape: []int{baselines, len(shifts)}, Int: onset},
	}
}

// restore reads the state of a detector of the same settings.
func (d *ChangePointDetector) restore(f *npz.Fields) {
	counts, lengths := f.IntsOf("detector", 2), f.IntsOf("detector_lengths", baselines)
	state, onset := f.FloatsOf("detector_state", baselines, 2, len(shifts)), f.IntsOf("detector_onset", baselines, len(shifts))
	if f.Err() != nil {
		return
	}
	if counts[0] < 0 || counts[1] < 0 || int64(counts[1]) > max(int64(counts[0])-d.set.BurnIn, 0) {
		f.Fail("detector", "is %v, expected the losses seen and, not above those after the burn-in, those since the restart", counts)
		return
	}
	d.count, d.since = int64(counts[0]), int64(counts[1])
	total := 0
	for i, n := range lengths {
		if want := d.length(i); n != want {
			f.Fail("detector_lengths", "entry %d is %d, expected %d after %d losses", i, n, want, d.since)
			return
		}
		total += n
	}
	history := f.FloatsOf("detector_history", total)
	if f.Err() != nil {
		return
	}
	for i := range d.track {
		k, n := &d.track[i], lengths[i]
		k.history = append(k.history[:0], history[:n]...)
		history = history[n:]
		if !slices.IsSorted(k.history) || slices.ContainsFunc(k.history, math.IsNaN) {
			f.Fail("detector_history", "baseline %d is not ascending", i)
		}
		for j := range shifts {
			k.ratio[j], k.cusum[j] = state[2*i*len(shifts)+j], state[(2*i+1)*len(shifts)+j]
			k.onset[j] = int64(onset[i*len(shifts)+j])
			if !(k.ratio[j] >= 0 && k.cusum[j] >= 0) || math.IsInf(k.ratio[j], 1) || math.IsInf(k.cusum[j], 1) {
				f.Fail("detector_state", "baseline %d has %v and %v, expected finite numbers >= 0", i, k.ratio[j], k.cusum[j])
			}
			if k.onset[j] < 1 || k.onset[j] > d.count+1 {
				f.Fail("detector_onset", "baseline %d has %d, expected 1 to %d", i, k.onset[j], d.count+1)
			}
		}
	}
}

// length returns the number of values that baseline i holds.
func (d *ChangePointDetector) length(i int) int {
	n, window := d.since, int64(d.set.Window)
	if n == 0 {
		return 0
	}
	// It was last begun afresh with value from + 1 since the start, where from plus
	// its share of the window is a multiple of the window; or with the first.
	shift := int64(i*d.set.Window) / baselines
	from := max((n-1+shift)/window*window-shift, 0)
	return int(n - from)
}
