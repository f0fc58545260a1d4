package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// price goes over the rows of costs in turn until one has an entry below its limit. A first pass over a row takes the
// least c_j - v_j; where it is below the limit, a second finds the first column that has it.
func price() {
	kernel("priceAVX2", "func(c *float64, ld, rows, cols int, v, pi *float64, negEps float64, i, clean int) (row, col, seen int)",
		"priceAVX2 looks for a row i, from the given one on and around, that has c_ij - v_j < negEps - pi_i, and for its first "+
			"column with the least; seen counts the rows without one, clean included. ld is in bytes; col is -1 when all rows are counted.")
	cols, v, pi, negEps, i, seen := num("cols"), ptr("v"), ptr("pi"), real("negEps"), num("i"), num("clean")
	row, j := GP64(), GP64()
	MOVQ(i, row)
	IMULQ(mem("ld"), row)
	ADDQ(mem("c"), row)
	Label("row")
	limit, low, low2 := YMM(), YMM(), YMM()
	VSUBSD(Mem{Base: pi, Index: i, Scale: 8}, negEps, limit.AsX())
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
	CMPQ(j, cols)
	JEQ(LabelRef("compare"))
	mask, d, w := tailMask(j, cols), YMM(), YMM()
	VMASKMOVPD(at(row, j, 0), mask, d)
	VMASKMOVPD(at(v, j, 0), mask, w)
	VSUBPD(w, d, d)
	VBLENDVPD(mask, d, limit, d)
	VMINPD(low, d, low)
	Label("compare")
	VMINPD(low2, low, low)
	below, found := YMM(), GP32()
	VCMPPD(Imm(0x11), limit, low, below) // low < limit, quietly false for NaN
	VMOVMSKPD(below, found)
	TESTL(found, found)
	JNZ(LabelRef("found"))
	INCQ(seen)
	INCQ(i)
	ADDQ(mem("ld"), row)
	CMPQ(seen, mem("rows"))
	JGE(LabelRef("none"))
	CMPQ(i, mem("rows"))
	JLT(LabelRef("row"))
	XORQ(i, i)
	MOVQ(mem("c"), row)
	JMP(LabelRef("row"))

	Label("found")
	high := XMM()
	VEXTRACTF128(Imm(1), low, high)
	VMINPD(high, low.AsX(), high)
	other := XMM()
	VSHUFPD(Imm(1), high, high, other)
	VMINSD(other, high, high)
	least := YMM()
	VBROADCASTSD(high, least)
	XORQ(j, j)
	Label("search")
	next := GP64()
	LEAQ(Mem{Base: j, Disp: 4}, next)
	CMPQ(next, cols)
	JGT(LabelRef("tail"))
	{
		d, equal := YMM(), YMM()
		VMOVUPD(at(row, j, 0), d)
		VSUBPD(at(v, j, 0), d, d)
		VCMPPD(Imm(0), least, d, equal)
		VMOVMSKPD(equal, found)
	}
	TESTL(found, found)
	JNZ(LabelRef("lane"))
	MOVQ(next, j)
	JMP(LabelRef("search"))
	Label("tail")
	{
		mask, d, w, equal := tailMask(j, cols), YMM(), YMM(), YMM()
		VMASKMOVPD(at(row, j, 0), mask, d)
		VMASKMOVPD(at(v, j, 0), mask, w)
		VSUBPD(w, d, d)
		VCMPPD(Imm(0), least, d, equal)
		VANDPD(mask, equal, equal)
		VMOVMSKPD(equal, found)
	}
	Label("lane")
	BSFL(found, found)
	ADDQ(found.As64(), j)
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
	end()
}

// shift adds sigma to the entries of x whose bits are set in a word, four at a time up to the highest.
func shift() {
	kernel("shiftAVX2", "func(x *float64, word uint64, sigma float64)", "shiftAVX2 adds sigma to entry k of x for every bit k of word.")
	x, word, sigma := ptr("x"), num("word"), spread("sigma")
	lane, w := YMM(), YMM()
	VMOVUPD(laneBits, lane)
	VMOVQ(word, w.AsX())
	VPBROADCASTQ(w.AsX(), w)
	Label("next")
	mask, v, sum := YMM(), YMM(), YMM()
	VPAND(lane, w, mask)
	VPCMPEQQ(lane, mask, mask)
	VMOVUPD(Mem{Base: x}, v)
	VADDPD(sigma, v, sum)
	VBLENDVPD(mask, sum, v, v)
	VMOVUPD(v, Mem{Base: x})
	VPSRLQ(Imm(4), w, w)
	ADDQ(Imm(32), x)
	SHRQ(Imm(4), word)
	JNZ(LabelRef("next"))
	end()
}
