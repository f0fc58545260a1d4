package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// price goes over the rows of costs in turn until one has an entry below its limit. A first pass over a row takes the
// least c_j - v_j; where it is below the limit, a second finds the first column that has it.
func price() {
	kernel("price", "func(c *float64, ld, rows, cols int, v, pi *float64, negEps float64, i, clean int) (row, col, seen int)",
		"looks for a row i, from the given one on and around, that has c_ij - v_j < negEps - pi_i, and for its first "+
			"column with the least; seen counts the rows without one, clean included. ld is in bytes; col is -1 when all rows are counted.")
	cols, v, pi, negEps, i, seen := arg("cols"), arg("v"), arg("pi"), real("negEps"), arg("i"), arg("clean")
	row, j := GP64(), GP64()
	low, found := rowBelow(pricing{i, seen, row, j, cols, v}, true, "none", func(limit reg.VecVirtual) {
		VSUBSD(Mem{Base: pi, Index: i, Scale: 8}, negEps, limit.AsX())
	})
	least := broadcast(leastLane(low))
	XORQ(j, j)
	Label("search")
	next := GP64()
	LEAQ(Mem{Base: j, Disp: 4}, next)
	branch(next, JGT, cols, "tail")
	ifAnyLane(isLeast(span{i: j}, row, v, least), found.As32(), "lane")
	MOVQ(next, j)
	JMP(LabelRef("search"))
	Label("tail")
	VMOVMSKPD(isLeast(span{i: j, mask: tailMask(j, cols)}, row, v, least), found.As32())
	Label("lane")
	BSFL(found.As32(), found.As32())
	ADDQ(found, j)
	Store(i, Return("row"))
	Store(j, Return("col"))
	Store(seen, Return("seen"))
	end()

	Label("none")
	none := GP64()
	MOVQ(I32(-1), none)
	Store(i, Return("row"))
	Store(none, Return("col"))
	Store(seen, Return("seen"))
}

// pricing has the registers of a search: row i of costs is at row, v holds the potentials of its columns, j goes over them, and seen counts rows.
type pricing struct{ i, seen, row, j, cols, v reg.GPVirtual }

// rowBelow goes over the rows from i on and around until one has an entry c_j - v_j below its limit, which setLimit computes into a register,
// and returns the least of them of each lane, and a register for bits. If no row has one it goes to a label. rest asks for columns that
// are no multiple of four.
func rowBelow(p pricing, rest bool, none string, setLimit func(limit reg.VecVirtual)) (reg.VecVirtual, reg.GPVirtual) {
	MOVQ(p.i, p.row)
	IMULQ(mem("ld"), p.row)
	ADDQ(mem("c"), p.row)
	Label("row")
	limit, low, low2 := YMM(), YMM(), YMM()
	setLimit(limit)
	VBROADCASTSD(limit.AsX(), limit)
	VMOVAPD(limit, low)
	VMOVAPD(limit, low2)
	overRow("least", p.j, p.cols, []int{4, 1}, func(_ ops, vectors int) {
		for k := range vectors {
			d, to := load(at(p.row, p.j, 4*k)), []reg.VecVirtual{low, low2}[k%2]
			VSUBPD(at(p.v, p.j, 4*k), d, d)
			VMINPD(to, d, to)
		}
	})
	if rest {
		branch(p.j, JEQ, p.cols, "compare")
		s := span{i: p.j, mask: tailMask(p.j, p.cols)}
		d := s.load(p.row)
		VSUBPD(s.load(p.v), d, d)
		VBLENDVPD(s.mask, d, limit, d)
		VMINPD(low, d, low)
		Label("compare")
	}
	VMINPD(low2, low, low)
	below, found := YMM(), GP64()
	VCMPPD(Imm(0x11), limit, low, below) // low < limit, quietly false for NaN
	ifAnyLane(below, found.As32(), "found")
	INCQ(p.seen)
	INCQ(p.i)
	ADDQ(mem("ld"), p.row)
	branch(p.seen, JGE, mem("rows"), none)
	branch(p.i, JLT, mem("rows"), "row")
	XORQ(p.i, p.i)
	MOVQ(mem("c"), p.row)
	JMP(LabelRef("row"))
	Label("found")
	return low, found
}

// isLeast compares the entries c_j - v_j of a span with the least.
func isLeast(s span, row, v reg.GPVirtual, least reg.VecVirtual) reg.VecVirtual {
	d := s.load(row)
	VSUBPD(s.operand(v, YMM()), d, d)
	equal := YMM()
	VCMPPD(Imm(0), least, d, equal)
	if s.mask != nil {
		VANDPD(s.mask, equal, equal)
	}
	return equal
}

// shift adds sigma to the entries of x whose bits are set in a word, four at a time up to the highest.
func shift() {
	kernel("shift", "func(x *float64, word uint64, sigma float64)", "adds sigma to entry k of x for every bit k of word.")
	x, word, sigma := arg("x"), arg("word"), spread("sigma")
	lane, w := load(laneBits), YMM()
	VMOVQ(word, w.AsX())
	VPBROADCASTQ(w.AsX(), w)
	Label("next")
	mask := YMM()
	VPAND(lane, w, mask)
	VPCMPEQQ(lane, mask, mask)
	v, sum := load(Mem{Base: x}), YMM()
	VADDPD(sigma, v, sum)
	VBLENDVPD(mask, sum, v, v)
	VMOVUPD(v, Mem{Base: x})
	VPSRLQ(Imm(4), w, w)
	ADDQ(Imm(32), x)
	SHRQ(Imm(4), word)
	JNZ(LabelRef("next"))
}

// survey takes a row into the least and the sum of every column.
func survey() {
	kernel("survey", "func(x, least, sums *float64, n int)", "lowers least_j to x_j and adds x_j to sums_j.")
	x, least, sums, n, i := arg("x"), arg("least"), arg("sums"), arg("n"), GP64()
	overRow("survey", i, n, []int{2, 1, 0}, func(o ops, vectors int) {
		for k := range vectors {
			v, s := o.register(), o.register()
			o.mov(at(x, i, 4*k), v)
			o.add(at(sums, i, 4*k), v, s)
			o.mov(s, at(sums, i, 4*k))
			o.min(at(least, i, 4*k), v, v)
			o.mov(v, at(least, i, 4*k))
		}
	})
}

// relax keeps for each lane the least distance and where it was met first (as a number); of the lanes with the least of all the first
// place counts.
func relax() {
	kernel("relax", "func(c *float64, n int, v, d *float64, from *int64, shift float64, i int64) int",
		"lowers d_j to (c_j - v_j) - shift, sets from_j to i where that is less, and returns the first place of the least d_j, "+
			"-1 if none is below +Inf. v, d and from are padded to a multiple of four.")
	c, n, v, d, from, shift, j := arg("c"), arg("n"), arg("v"), arg("d"), arg("from"), spread("shift"), GP64()
	row, low, place, now := broadcast(mem("i")), load(constants["infinite"]), load(constants["minusOne"]), load(firstPlaces)
	overVectors("relax", j, n, "fold", func(s span) {
		x := s.load(c)
		VSUBPD(at(v, j, 0), x, x)
		VSUBPD(shift, x, x)
		old, less, source := load(at(d, j, 0)), YMM(), load(at(from, j, 0))
		VCMPPD(Imm(0x11), old, x, less) // x < old, quietly false for NaN
		VBLENDVPD(less, x, old, old)
		VBLENDVPD(less, row, source, source)
		VMOVUPD(old, at(d, j, 0))
		VMOVUPD(source, at(from, j, 0))
		VCMPPD(Imm(0x11), low, old, less)
		VBLENDVPD(less, old, low, low)
		VBLENDVPD(less, now, place, place)
		VADDPD(constants["four"], now, now)
	})
	Label("fold")
	least, equal := broadcast(leastLane(low)), YMM()
	VCMPPD(Imm(0), least, low, equal)
	VMOVUPD(constants["infinite"], least)
	VBLENDVPD(equal, place, least, place)
	found := GP64()
	VCVTTSD2SIQ(leastLane(place), found)
	Store(found, ReturnIndex(0))
}
