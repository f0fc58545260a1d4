package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets of the fields of vec.Node.
const (
	nodeFlow   = 16
	nodeParent = 24
	nodeShift  = 5 // a node has 1 << nodeShift bytes
)

// pivots is optimise and pivot of package ot, for trees of up to 128 nodes and rows of up to 64
// columns, or wide: 256 nodes with separate masks, 1 << nodeShift bytes each. Costs and potentials
// of columns are padded to a multiple of four.
func pivots(name string, words int) {
	kernel(name, "func(c *float64, ld, rows, cols int, pi *float64, node, masks *uint64, path *uint32, negEps, scale float64, i, most int) (row, clean, done int)",
		name+" pivots until no row has an entry c_ij - v_j < negEps - pi_i, most times at most, and not where the entry is above scale.")
	wide := words > 2
	mask := func(x reg.VecVirtual) reg.VecVirtual { // as many bits as a mask has
		if wide {
			return x.AsY().(reg.VecVirtual)
		}
		return x.AsX().(reg.VecVirtual)
	}
	i, done := num("i"), GP64()
	XORQ(done, done)

	Label("next")
	pi, v := ptr("pi"), GP64()
	MOVQ(mem("rows"), v)
	LEAQ(Mem{Base: pi, Index: v, Scale: 8}, v)
	cols, seen, row, j := num("cols"), GP64(), GP64(), GP64()
	XORQ(seen, seen)
	MOVQ(i, row)
	IMULQ(mem("ld"), row)
	ADDQ(mem("c"), row)
	Label("row")
	limit, low, low2 := YMM(), YMM(), YMM()
	VMOVSD(mem("negEps"), limit.AsX())
	VSUBSD(Mem{Base: pi, Index: i, Scale: 8}, limit.AsX(), limit.AsX())
	VBROADCASTSD(limit.AsX(), limit)
	VMOVAPD(limit, low)
	VMOVAPD(limit, low2)
	overRow("least", j, cols, []int{4, 1}, func(vectors int) {
		for k := range vectors {
			d := YMM()
			VMOVUPD(at(row, j, 4*k), d)
			VSUBPD(at(v, j, 4*k), d, d)
			if k%2 == 0 {
				VMINPD(low, d, low)
			} else {
				VMINPD(low2, d, low2)
			}
		}
	})
	VMINPD(low2, low, low)
	below, found := YMM(), GP64()
	VCMPPD(Imm(0x11), limit, low, below) // low < limit, quietly false for NaN
	VMOVMSKPD(below, found.As32())
	TESTL(found.As32(), found.As32())
	JNZ(LabelRef("found"))
	INCQ(seen)
	INCQ(i)
	ADDQ(mem("ld"), row)
	CMPQ(seen, mem("rows"))
	JGE(LabelRef("end"))
	CMPQ(i, mem("rows"))
	JLT(LabelRef("row"))
	XORQ(i, i)
	MOVQ(mem("c"), row)
	JMP(LabelRef("row"))

	Label("found")
	XORQ(seen, seen)
	least := YMM()
	VBROADCASTSD(leastLane(low), least)
	search := func(to reg.GPVirtual) {
		d, equal := YMM(), YMM()
		VMOVUPD(at(row, j, 0), d)
		VSUBPD(at(v, j, 0), d, d)
		VCMPPD(Imm(0), least, d, equal)
		VMOVMSKPD(equal, to.As32())
	}
	if wide {
		XORQ(j, j)
		Label("search")
		search(found)
		TESTL(found.As32(), found.As32())
		JNZ(LabelRef("lane"))
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
		search(bits)
		SHLQ(Imm(4), found)
		ORQ(bits, found)
		TESTQ(j, j)
		JNZ(LabelRef("search"))
		BSFQ(found, j)
	}

	rc, size := XMM(), XMM()
	VMOVSD(at(row, j, 0), rc)
	VANDPD(magnitude.Offset(0), rc, size)
	VUCOMISD(mem("scale"), size)
	JA(LabelRef("end"))
	CMPQ(done, mem("most"))
	JGE(LabelRef("end"))
	INCQ(done)
	VSUBSD(at(v, j, 0), rc, rc)
	VADDSD(at(pi, i, 0), rc, rc)

	// Node numbers are offsets from here on.
	ADDQ(mem("rows"), j)
	node, path, count := ptr("node"), ptr("path"), GP64()
	word := GP64() // of the masks with j
	MOVQ(j, word)
	SHRQ(Imm(6), word)
	SHLQ(Imm(3), word)
	ADDQ(mem("masks"), word)
	XORQ(count, count)
	k, key, bits, du, dv, half := GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	note := func() {
		MOVL(k.As32(), Mem{Base: path, Index: count, Scale: 4})
	}
	up := func() {
		INCQ(count)
		MOVL(Mem{Base: node, Index: k, Scale: 1, Disp: nodeParent}, k.As32())
		SHLQ(Imm(nodeShift), k)
	}
	// From i up to the join: first smallest flow on rows.
	MOVQ(U64(math.MaxInt64), du)
	MOVQ(i, k)
	SHLQ(Imm(nodeShift), k)
	Label("climb")
	for _, counts := range []bool{true, false} {
		MOVQ(Mem{Base: word, Index: k, Scale: 1}, bits)
		BTQ(j, bits)
		JCS(LabelRef("joined"))
		note()
		if counts {
			MOVQ(Mem{Base: node, Index: k, Scale: 1, Disp: nodeFlow}, key)
			SHLQ(Imm(8), key)
			ORQ(count, key)
			CMPQ(key, du)
			CMOVQLT(key, du)
		}
		up()
	}
	JMP(LabelRef("climb"))
	Label("joined")
	join := word // needed no more
	MOVQ(k, join)
	MOVQ(count, half)
	// From j up to the join: last smallest flow on columns.
	MOVQ(U64(math.MaxInt64), dv)
	MOVQ(j, k)
	SHLQ(Imm(nodeShift), k)
	Label("climb2")
	for _, counts := range []bool{true, false} {
		CMPQ(k, join)
		JEQ(LabelRef("cycle"))
		note()
		if counts {
			MOVQ(Mem{Base: node, Index: k, Scale: 1, Disp: nodeFlow}, key)
			SHLQ(Imm(8), key)
			ORQ(count, key)
			XORQ(Imm(255), key)
			CMPQ(key, dv)
			CMOVQLT(key, dv)
		}
		up()
	}
	JMP(LabelRef("climb2"))

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
	CMPQ(l, count)
	JLT(LabelRef("around"))

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
	CMPQ(first, last)
	JLE(LabelRef("stem"))

	shiftAll(turned, sigma, words)

	INCQ(i)
	CMPQ(i, mem("rows"))
	JLT(LabelRef("next"))
	XORQ(i, i)
	JMP(LabelRef("next"))

	Label("end")
	Store(i, Return("row"))
	Store(seen, Return("clean"))
	Store(done, Return("done"))
	end()
}

// shiftAll adds sigma to the potentials of a set of nodes. Within a word all are gone through, so that loops end where they ended before;
// of more than two words those are left out that are empty.
func shiftAll(set, sigma reg.VecVirtual, words int) {
	x, left, part, w := ptr("pi"), GP64(), GP64(), YMM()
	MOVQ(mem("rows"), left)
	ADDQ(mem("cols"), left)
	ADDQ(Imm(7), left)
	SHRQ(Imm(3), left)
	counts, counts2 := YMM(), YMM()
	VMOVUPD(signShifts, counts)
	VMOVUPD(signShifts.Offset(32), counts2)
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
			TESTQ(any, any)
			JNZ(LabelRef(l))
			SHLQ(Imm(6), part)
			ADDQ(part, x)
			JMP(LabelRef("after" + l))
		}
		Label(l)
		for k, c := range []reg.VecVirtual{counts, counts2} {
			mask, old, sum := YMM(), YMM(), YMM()
			VPSLLVQ(c, w, mask)
			VMOVUPD(Mem{Base: x, Disp: 32 * k}, old)
			VADDPD(sigma, old, sum)
			VBLENDVPD(mask, sum, old, old)
			VMOVUPD(old, Mem{Base: x, Disp: 32 * k})
		}
		VPSRLQ(Imm(8), w, w)
		ADDQ(Imm(64), x)
		DECQ(part)
		JNZ(LabelRef(l))
		Label("after" + l)
		if word < words-1 {
			TESTQ(left, left)
			JZ(LabelRef("shifted"))
		}
	}
	Label("shifted")
}
