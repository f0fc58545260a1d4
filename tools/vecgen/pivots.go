package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Where the fields of vec.Node stand.
const (
	nodeFlow   = 16
	nodeParent = 24
	nodeShift  = 5 // a node has 1 << nodeShift bytes
)

// pivots is optimise and pivot of package ot, for trees of up to 128 nodes and rows of up to 64 columns. Costs and potentials of
// columns are there up to a multiple of four.
func pivots() {
	kernel("pivotsAVX2", "func(c *float64, ld, rows, cols int, pi *float64, node *uint64, path *uint32, negEps, scale float64, i, most int) (row, clean, done int)",
		"pivotsAVX2 pivots until no row has an entry c_ij - v_j < negEps - pi_i, most times at most, and not where the entry is above scale.")
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

	// All columns that have the least, from the last to the first: a loop without a guess where it ends.
	Label("found")
	XORQ(seen, seen)
	least := YMM()
	VBROADCASTSD(leastLane(low), least)
	MOVQ(cols, j)
	XORQ(found, found)
	Label("search")
	{
		d, equal, bits := YMM(), YMM(), GP64()
		SUBQ(Imm(4), j)
		VMOVUPD(at(row, j, 0), d)
		VSUBPD(at(v, j, 0), d, d)
		VCMPPD(Imm(0), least, d, equal)
		VMOVMSKPD(equal, bits.As32())
		SHLQ(Imm(4), found)
		ORQ(bits, found)
	}
	TESTQ(j, j)
	JNZ(LabelRef("search"))
	BSFQ(found, j)

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
	word := GP64() // of the masks that j stands in
	MOVQ(j, word)
	SHRQ(Imm(6), word)
	LEAQ(Mem{Base: node, Index: word, Scale: 8}, word)
	XORQ(count, count)
	k, key, mask, du, dv, half := GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
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
		MOVQ(Mem{Base: word, Index: k, Scale: 1}, mask)
		BTQ(j, mask)
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
	delta, first, last, sign, flip := du, GP64(), mask, key, GP64()
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
	sigma, turned, other := YMM(), XMM(), XMM()
	VMOVQ(sign, sigma.AsX())
	VXORPD(sigma.AsX(), rc, sigma.AsX())
	VBROADCASTSD(sigma.AsX(), sigma)
	MOVL(Mem{Base: path, Index: last, Scale: 4}, k.As32())
	VMOVDQU(Mem{Base: node, Index: k, Scale: 1}, turned)
	d, l := flip, dv
	XORQ(l, l)
	Label("around")
	MOVL(Mem{Base: path, Index: l, Scale: 4}, k.As32())
	VPXOR(Mem{Base: node, Index: k, Scale: 1}, turned, other)
	VMOVDQU(other, Mem{Base: node, Index: k, Scale: 1})
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
	carried := XMM()
	VMOVDQA(turned, carried)
	Label("stem")
	MOVL(Mem{Base: path, Index: first, Scale: 4}, k.As32())
	VMOVDQU(Mem{Base: node, Index: k, Scale: 1}, other)
	VMOVDQU(carried, Mem{Base: node, Index: k, Scale: 1})
	VMOVDQA(other, carried)
	MOVQ(Mem{Base: node, Index: k, Scale: 1, Disp: nodeFlow}, d)
	MOVQ(delta, Mem{Base: node, Index: k, Scale: 1, Disp: nodeFlow})
	MOVQ(d, delta)
	MOVL(parent.As32(), Mem{Base: node, Index: k, Scale: 1, Disp: nodeParent})
	MOVQ(k, parent)
	SHRQ(Imm(nodeShift), parent)
	INCQ(first)
	CMPQ(first, last)
	JLE(LabelRef("stem"))

	shiftAll(turned, sigma)

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

// shiftAll adds sigma to the potentials of a set of nodes; all are gone through, so that the loops end where they ended before.
func shiftAll(set, sigma reg.VecVirtual) {
	x, left, part, w := ptr("pi"), GP64(), GP64(), YMM()
	MOVQ(mem("rows"), left)
	ADDQ(mem("cols"), left)
	ADDQ(Imm(7), left)
	SHRQ(Imm(3), left)
	counts, counts2 := YMM(), YMM()
	VMOVUPD(signShifts, counts)
	VMOVUPD(signShifts.Offset(32), counts2)
	for _, l := range []string{"shift", "shift2"} {
		VPBROADCASTQ(set.AsX(), w)
		MOVQ(U32(8), part)
		CMPQ(left, part)
		CMOVQLT(left, part)
		SUBQ(part, left)
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
		if l == "shift" {
			TESTQ(left, left)
			JZ(LabelRef("shifted"))
			VPSRLDQ(Imm(8), set.AsX(), set.AsX())
		}
	}
	Label("shifted")
}
