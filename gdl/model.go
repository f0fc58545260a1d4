package gdl

import (
	"fmt"
	"slices"

	"ogdl/ot/gw"
)

// model holds what follows from a dictionary: atoms as spaces and the Gram matrix. Workers share it
// and only read it.
type model struct {
	d      Dictionary // its numbers; C and A belong to atoms
	atoms  []*gw.Space
	origin []float64   // what the atoms' features are relative to
	offset float64     // what the atoms' structures are relative to
	a      [][]float64 // these features, views
	gram   []float64
	level  *gw.Space // the mix at uniform weights, where every unmixing begins
	even   []float64 // these weights

	scratch []float64 // for gram

	// Where atoms have node weights of their own: these, each summing to one but for
	// rounding, and whether they differ; atoms and gram are then for the first atom's.
	h      [][]float64
	uneven bool

	// The upper triangles of the atoms' structures, rows one after the other from
	// the aligned start at or before their diagonal, entries above it doubled and
	// those before it zero: <C_s, X> = packed_s . X's triangle for symmetric X.
	packed [][]float64
	row    []int // where row k begins, less its first column
}

func newModel(d *Dictionary) (*model, error) {
	atoms, err := d.spaces()
	if err != nil {
		return nil, err
	}
	m := &model{
		d:      Dictionary{S: d.S, N: d.N, D: d.D, Alpha: d.Alpha},
		atoms:  atoms,
		origin: slices.Clone(d.origin()),
		gram:   make([]float64, d.S*d.S),
		packed: make([][]float64, d.S),
		row:    make([]int, d.N),

		scratch: make([]float64, d.N*(d.N+d.D)+2*d.S),
	}
	_, ld := atoms[0].C()
	c := d.C
	if m.offset = gw.Offset(atoms...); m.offset != 0 {
		c = clone(c)
		for s := range c {
			for k := range c[s] {
				c[s][k] -= m.offset
			}
			atoms[s].Shift(m.offset, atoms[s])
		}
	}
	size := 0
	for k := range d.N {
		from := k &^ 3
		m.row[k] = size - from
		size += ld - from
	}
	for s := range d.S {
		m.packed[s] = make([]float64, size)
		m.pack(s, c[s])
		atoms[s].Relative(m.origin, atoms[s])
		m.a = append(m.a, atoms[s].A())
	}
	for _, h := range d.H {
		sum, _ := gw.SumWeights(h) // checked
		x := make([]float64, d.N)
		for k, v := range h {
			x[k] = v / sum
		}
		m.h = append(m.h, x)
	}
	m.uneven = d.uneven()
	d.gram(m.gram, nil, c, m.a, m.scratch)
	m.level, _ = gw.NewTarget(d.N, d.D, atoms[0].P()) // sizes and weights of a space
	m.even = make([]float64, d.S)
	level(m.even)
	return m, m.mixLevel()
}

// mixLevel sets the mix at uniform weights.
func (m *model) mixLevel() error {
	if err := m.level.Mix(m.atoms, m.even); err != nil {
		return fmt.Errorf("gdl: %w", err)
	}
	return nil
}

// seen is scratch space of [model.see].
type seen struct{ shifted, relative gw.Space }

// see returns the graph with structure and features relative to the model's offset and origin. The
// result uses the room of into, or is g itself.
func (m *model) see(g *gw.Space, into *seen) *gw.Space {
	if m.offset != 0 {
		g = g.Shift(m.offset, &into.shifted)
	}
	if m.d.D == 0 {
		return g
	}
	return g.Relative(m.origin, &into.relative)
}

// pack packs the structure of atom s.
func (m *model) pack(s int, c []float64) {
	x, n := m.packed[s], m.d.N
	for k := range n {
		x[m.row[k]+k] = c[k*n+k]
		row := x[m.row[k]:]
		for l := k + 1; l < n; l++ {
			row[l] = 2 * c[k*n+l]
		}
	}
}

// update takes the atoms of d, a dictionary of the same sizes and the same shared weights. The
// model is then the one that newModel returns. Unchanged atoms cost only a comparison, unless the
// origin has moved; changed (length S) is scratch. It allocates little, unless atoms have their own
// node weights or an offset.
func (m *model) update(d *Dictionary, changed []bool) error {
	if d.H != nil || m.offset != 0 {
		return m.renew(d)
	}
	origin := d.origin()
	moved := !slices.Equal(m.origin, origin)
	copy(m.origin, origin)
	for s, atom := range m.atoms {
		var a []float64
		if d.D > 0 {
			a = d.A[s]
		}
		if changed[s] = moved || !holds(atom, d.C[s], a, origin); !changed[s] {
			continue
		}
		if err := atom.Set(d.C[s], a); err != nil {
			return fmt.Errorf("gdl: atom %d: %w", s, err)
		}
		atom.Relative(m.origin, atom)
		m.pack(s, d.C[s])
	}
	if gw.Offset(m.atoms...) != 0 {
		return m.renew(d)
	}
	d.gram(m.gram, changed, d.C, m.a, m.scratch)
	return m.mixLevel()
}

// renew makes the model anew.
func (m *model) renew(d *Dictionary) error {
	fresh, err := newModel(d)
	if err == nil {
		*m = *fresh
	}
	return err
}

// holds reports whether an atom has the structure c and the features a, seen from the origin.
func holds(atom *gw.Space, c, a, origin []float64) bool {
	x, ld := atom.C()
	n := atom.N()
	for k := range n {
		if !slices.Equal(x[k*ld:k*ld+n], c[k*n:k*n+n]) {
			return false
		}
	}
	x = atom.A()
	for i := 0; i < len(a); i += len(origin) {
		for j, o := range origin {
			if x[i+j] != a[i+j]-o {
				return false
			}
		}
	}
	return true
}
