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
		ifAny(j, "search")
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
			ifAny(any, l)
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
			ifZero(left, "shifted")
		}
	}
	Label("shifted")
}
