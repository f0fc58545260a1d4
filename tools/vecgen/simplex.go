package main

import (
	"math"

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

// pricing has the registers of a search: row i of costs is at row, v holds the potentials of its columns, j goes over them,
// and seen counts rows.
type pricing struct{ i, seen, row, j, cols, v reg.GPVirtual }

// rowBelow goes over the rows from i on and around until one has an entry c_j - v_j below its limit, which setLimit computes
// into a register, and returns the least of them of each lane, and a register for bits. If no row has one it goes to a label.
// rest asks for columns that are no multiple of four.
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
	eachVector("least", p.j, p.cols, []int{4, 1}, func(_ ops, k int) {
		d, to := load(at(p.row, p.j, 4*k)), []reg.VecVirtual{low, low2}[k%2]
		VSUBPD(at(p.v, p.j, 4*k), d, d)
		VMINPD(to, d, to)
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

func survey() {
	kernel("survey", "func(x, least, sums *float64, n int)", "lowers least_j to x_j and adds x_j to sums_j.")
	x, least, sums, n, i := arg("x"), arg("least"), arg("sums"), arg("n"), GP64()
	eachVector("survey", i, n, []int{2, 1, 0}, func(o ops, k int) {
		v, s := o.register(), o.register()
		o.mov(at(x, i, 4*k), v)
		o.add(at(sums, i, 4*k), v, s)
		o.mov(s, at(sums, i, 4*k))
		o.min(at(least, i, 4*k), v, v)
		o.mov(v, at(least, i, 4*k))
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

// Offsets of the fields of vec.Node.
const (
	nodeFlow   = 16
	nodeParent = 24
	nodeShift  = 5 // a node has 1 << nodeShift bytes
)

func narrowPivots() { pivots("pivots", 2) }
func widePivots()   { pivots("widePivots", 4) }

// pivots is optimise and pivot of package ot, for trees of up to 128 nodes and rows of up to 64
// columns, or wide: 256 nodes with separate masks, 1 << nodeShift bytes each. Costs and potentials
// of columns are padded to a multiple of four.
func pivots(name string, words int) {
	kernel(name, "func(c *float64, ld, rows, cols int, pi *float64, node, masks *uint64, path *uint32, negEps, scale float64, i, most int) (row, clean, done int)",
		"pivots until no row has an entry c_ij - v_j < negEps - pi_i, most times at most, and not where the entry is above scale.")
	wide := words > 2
	mask := func(x reg.VecVirtual) reg.VecVirtual { // as many bits as a mask has
		if wide {
			return x.AsY().(reg.VecVirtual)
		}
		return x.AsX().(reg.VecVirtual)
	}
	i, done := arg("i"), GP64()
	XORQ(done, done)

	Label("next")
	pi, v := arg("pi"), GP64()
	MOVQ(mem("rows"), v)
	LEAQ(Mem{Base: pi, Index: v, Scale: 8}, v)
	cols, seen, row, j := arg("cols"), GP64(), GP64(), GP64()
	XORQ(seen, seen)
	low, found := rowBelow(pricing{i, seen, row, j, cols, v}, false, "end", func(limit reg.VecVirtual) {
		VMOVSD(mem("negEps"), limit.AsX())
		VSUBSD(Mem{Base: pi, Index: i, Scale: 8}, limit.AsX(), limit.AsX())
	})
	XORQ(seen, seen)
	least := broadcast(leastLane(low))
	if wide {
		XORQ(j, j)
		Label("search")
		ifAnyLane(isLeast(span{i: j}, row, v, least), found.As32(), "lane")
		ADDQ(Imm(4), j)
		JMP(LabelRef("search"))
		Label("lane")
		BSFQ(found, found)
		ADDQ(found, j)
	} else {
		// All columns that have the least, from the last to the first: a loop without a guess where it ends.
		MOVQ(cols, j)
		XORQ(found, found)
		Label("search")
		bits := GP64()
		SUBQ(Imm(4), j)
		VMOVMSKPD(isLeast(span{i: j}, row, v, least), bits.As32())
		SHLQ(Imm(4), found)
		ORQ(bits, found)
		test(j, JNZ, "search")
		BSFQ(found, j)
	}

	rc, size := XMM(), XMM()
	VMOVSD(at(row, j, 0), rc)
	VANDPD(magnitude.Offset(0), rc, size)
	VUCOMISD(mem("scale"), size)
	JA(LabelRef("end"))
	branch(done, JGE, mem("most"), "end")
	INCQ(done)
	VSUBSD(at(v, j, 0), rc, rc)
	VADDSD(at(pi, i, 0), rc, rc)

	// Node numbers are offsets from here on.
	ADDQ(mem("rows"), j)
	node, path, count := arg("node"), arg("path"), GP64()
	word := GP64() // of the masks with j
	MOVQ(j, word)
	SHRQ(Imm(6), word)
	SHLQ(Imm(3), word)
	ADDQ(mem("masks"), word)
	XORQ(count, count)
	k, key, bits, du, dv, half := GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	// climb goes up from a node and notes the path. The place of every second node with its flow, inverted or not, lowers smallest.
	climb := func(l string, from, smallest reg.GPVirtual, invert bool, atJoin func()) {
		MOVQ(U64(math.MaxInt64), smallest)
		MOVQ(from, k)
		SHLQ(Imm(nodeShift), k)
		Label(l)
		for _, counts := range []bool{true, false} {
			atJoin()
			MOVL(k.As32(), Mem{Base: path, Index: count, Scale: 4})
			if counts {
				MOVQ(Mem{Base: node, Index: k, Scale: 1, Disp: nodeFlow}, key)
				SHLQ(Imm(8), key)
				ORQ(count, key)
				if invert {
					XORQ(Imm(255), key)
				}
				CMPQ(key, smallest)
				CMOVQLT(key, smallest)
			}
			INCQ(count)
			MOVL(Mem{Base: node, Index: k, Scale: 1, Disp: nodeParent}, k.As32())
			SHLQ(Imm(nodeShift), k)
		}
		JMP(LabelRef(l))
	}
	// From i up to the join: first smallest flow on rows.
	climb("climb", i, du, false, func() {
		MOVQ(Mem{Base: word, Index: k, Scale: 1}, bits)
		BTQ(j, bits)
		JCS(LabelRef("joined"))
	})
	Label("joined")
	join := word // needed no more
	MOVQ(k, join)
	MOVQ(count, half)
	// From j up to the join: last smallest flow on columns.
	climb("climb2", j, dv, true, func() { branch(k, JEQ, join, "cycle") })

	// What turns over: nodes first to last of the path, under parent from now on.
	Label("cycle")
	delta, first, last, sign, flip := du, GP64(), bits, key, GP64()
	MOVBQZX(du.As8(), last)
	SARQ(Imm(8), delta)
	XORQ(first, first)
	MOVQ(U64(1<<63), sign)
	parent := j
	MOVBQZX(dv.As8(), k)
	XORQ(Imm(255), k)
	XORQ(flip, flip)
	SARQ(Imm(8), dv)
	CMPQ(dv, delta)
	CMOVQLE(dv, delta)
	CMOVQLE(k, last)
	CMOVQLE(half, first)
	CMOVQLE(flip, sign)
	CMOVQLE(i, parent)
	sigma, turned, other, masks := YMM(), YMM(), YMM(), join
	MOVQ(mem("masks"), masks)
	VMOVQ(sign, sigma.AsX())
	VXORPD(sigma.AsX(), rc, sigma.AsX())
	VBROADCASTSD(sigma.AsX(), sigma)
	MOVL(Mem{Base: path, Index: last, Scale: 4}, k.As32())
	VMOVDQU(Mem{Base: masks, Index: k, Scale: 1}, mask(turned))
	d, l := flip, dv
	XORQ(l, l)
	Label("around")
	MOVL(Mem{Base: path, Index: l, Scale: 4}, k.As32())
	VPXOR(Mem{Base: masks, Index: k, Scale: 1}, mask(turned), mask(other))
	VMOVDQU(mask(other), Mem{Base: masks, Index: k, Scale: 1})
	NEGQ(d)
	restart := GP64()
	MOVQ(delta, restart)
	NEGQ(restart)
	TESTQ(l, l)
	CMOVQEQ(restart, d)
	CMPQ(l, half)
	CMOVQEQ(restart, d)
	ADDQ(d, Mem{Base: node, Index: k, Scale: 1, Disp: nodeFlow})
	INCQ(l)
	branch(l, JLT, count, "around")

	// Arcs of the stem, and subtrees less what was below, move on by one node.
	carried := YMM()
	VMOVDQA(mask(turned), mask(carried))
	Label("stem")
	MOVL(Mem{Base: path, Index: first, Scale: 4}, k.As32())
	VMOVDQU(Mem{Base: masks, Index: k, Scale: 1}, mask(other))
	VMOVDQU(mask(carried), Mem{Base: masks, Index: k, Scale: 1})
	VMOVDQA(mask(other), mask(carried))
	MOVQ(Mem{Base: node, Index: k, Scale: 1, Disp: nodeFlow}, d)
	MOVQ(delta, Mem{Base: node, Index: k, Scale: 1, Disp: nodeFlow})
	MOVQ(d, delta)
	MOVL(parent.As32(), Mem{Base: node, Index: k, Scale: 1, Disp: nodeParent})
	MOVQ(k, parent)
	SHRQ(Imm(nodeShift), parent)
	INCQ(first)
	branch(first, JLE, last, "stem")

	shiftAll(turned, sigma, words)

	INCQ(i)
	branch(i, JLT, mem("rows"), "next")
	XORQ(i, i)
	JMP(LabelRef("next"))

	Label("end")
	Store(i, Return("row"))
	Store(seen, Return("clean"))
	Store(done, Return("done"))
}

// shiftAll adds sigma to the potentials of a set of nodes. Within a word all are gone through, so that loops end where they ended before;
// of more than two words those are left out that are empty.
func shiftAll(set, sigma reg.VecVirtual, words int) {
	x, left, part, w := arg("pi"), GP64(), GP64(), YMM()
	MOVQ(mem("rows"), left)
	ADDQ(mem("cols"), left)
	ADDQ(Imm(7), left)
	SHRQ(Imm(3), left)
	counts, counts2 := load(signShifts), load(signShifts.Offset(32))
	for word := range words {
		l := "shift" + string("0123"[word])
		VPERMQ(Imm(uint64(word*0x55)), set, w)
		MOVQ(U32(8), part)
		CMPQ(left, part)
		CMOVQLT(left, part)
		SUBQ(part, left)
		if words > 2 {
			any := GP64()
			VMOVQ(w.AsX(), any)
			test(any, JNZ, l)
			SHLQ(Imm(6), part)
			ADDQ(part, x)
			JMP(LabelRef("after" + l))
		}
		Label(l)
		for k, c := range []reg.VecVirtual{counts, counts2} {
			mask := YMM()
			VPSLLVQ(c, w, mask)
			old, sum := load(vector(x, k)), YMM()
			VADDPD(sigma, old, sum)
			VBLENDVPD(mask, sum, old, old)
			VMOVUPD(old, vector(x, k))
		}
		VPSRLQ(Imm(8), w, w)
		ADDQ(Imm(64), x)
		countDown(part, l)
		Label("after" + l)
		if word < words-1 {
			test(left, JZ, "shifted")
		}
	}
	Label("shifted")
}
