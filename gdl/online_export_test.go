package gdl

import "slices"

// Shifts is the number of shifts that the detector bets on.
const Shifts = len(shifts)

// Ratios are the likelihood ratios of x after a baseline of the given values.
func Ratios(history []float64, x float64) []float64 {
	slices.Sort(history)
	k := track{history: history}
	k.add(x, 1, shifts[:])
	return k.ratio[:] // (1 + 0) L
}

// UpdateIsNew takes up the dictionary after in the model of before, and says
// whether that is what a new model would be, and how many atoms it took for changed.
func UpdateIsNew(before, after *Dictionary) (same bool, count int, err error) {
	m, err := newModel(before)
	if err != nil {
		return false, 0, err
	}
	changed := make([]bool, before.S)
	if err := m.update(after, changed); err != nil {
		return false, 0, err
	}
	want, err := newModel(after)
	if err != nil {
		return false, 0, err
	}
	same = slices.Equal(m.gram, want.gram)
	for s, atom := range m.atoms {
		x, _ := atom.C()
		y, _ := want.atoms[s].C()
		same = same && slices.Equal(x, y) && slices.Equal(atom.A(), want.atoms[s].A()) && slices.Equal(m.packed[s], want.packed[s])
		if changed[s] {
			count++
		}
	}
	return same, count, nil
}
