package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
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
	least := YMM()
	VBROADCASTSD(leastLane(low), least)
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

// survey takes a row into the least and the sum of every column.
func survey() {
	kernel("surveyAVX2", "func(x, least, sums *float64, n int)", "surveyAVX2 lowers least_j to x_j and adds x_j to sums_j.")
	x, least, sums, n, i := ptr("x"), ptr("least"), ptr("sums"), num("n"), GP64()
	overRow("survey", i, n, []int{2, 1, 0}, func(vectors int) {
		if vectors == 0 {
			v, s := XMM(), XMM()
			VMOVSD(at(x, i, 0), v)
			VADDSD(at(sums, i, 0), v, s)
			VMOVSD(s, at(sums, i, 0))
			VMINSD(at(least, i, 0), v, v)
			VMOVSD(v, at(least, i, 0))
			return
		}
		for k := range vectors {
			v, s := YMM(), YMM()
			VMOVUPD(at(x, i, 4*k), v)
			VADDPD(at(sums, i, 4*k), v, s)
			VMOVUPD(s, at(sums, i, 4*k))
			VMINPD(at(least, i, 4*k), v, v)
			VMOVUPD(v, at(least, i, 4*k))
		}
	})
	end()
}

// relax keeps for each lane the least distance and where it was met first (as a number); of the lanes with the least of all the first
// place counts.
func relax() {
	kernel("relaxAVX2", "func(c *float64, n int, v, d *float64, from *int64, shift float64, i int64) int",
		"relaxAVX2 lowers d_j to (c_j - v_j) - shift, sets from_j to i where that is less, and returns the first place of the least d_j, "+
			"-1 if none is below +Inf. v, d and from are padded to a multiple of four.")
	c, n, v, d, from, shift, j := ptr("c"), num("n"), ptr("v"), ptr("d"), ptr("from"), spread("shift"), GP64()
	row, low, place, now := YMM(), YMM(), YMM(), YMM()
	VBROADCASTSD(mem("i"), row)
	VMOVUPD(constants["infinite"], low)
	VMOVUPD(constants["minusOne"], place)
	VMOVUPD(firstPlaces, now)
	step := func(x reg.VecVirtual) {
		old, less, source := YMM(), YMM(), YMM()
		VSUBPD(at(v, j, 0), x, x)
		VSUBPD(shift, x, x)
		VMOVUPD(at(d, j, 0), old)
		VMOVUPD(at(from, j, 0), source)
		VCMPPD(Imm(0x11), old, x, less) // x < old, quietly false for NaN
		VBLENDVPD(less, x, old, old)
		VBLENDVPD(less, row, source, source)
		VMOVUPD(old, at(d, j, 0))
		VMOVUPD(source, at(from, j, 0))
		VCMPPD(Imm(0x11), low, old, less)
		VBLENDVPD(less, old, low, low)
		VBLENDVPD(less, now, place, place)
		VADDPD(constants["four"], now, now)
	}
	overRow("relax", j, n, []int{1}, func(int) {
		x := YMM()
		VMOVUPD(at(c, j, 0), x)
		step(x)
	})
	CMPQ(j, n)
	JEQ(LabelRef("fold"))
	x := YMM()
	VMASKMOVPD(at(c, j, 0), tailMask(j, n), x)
	step(x)
	Label("fold")
	least, equal := YMM(), YMM()
	VBROADCASTSD(leastLane(low), least)
	VCMPPD(Imm(0), least, low, equal)
	VMOVUPD(constants["infinite"], least)
	VBLENDVPD(equal, place, least, place)
	found := GP64()
	VCVTTSD2SIQ(leastLane(place), found)
	Store(found, ReturnIndex(0))
	end()
}

// leastLane and largestLane are the least and the largest of four lanes.
func leastLane(x reg.VecVirtual) reg.VecVirtual   { return lanes(x, VMINPD, VMINSD) }
func largestLane(x reg.VecVirtual) reg.VecVirtual { return lanes(x, VMAXPD, VMAXSD) }

func lanes(x reg.VecVirtual, two, one func(...Op)) reg.VecVirtual {
	half, other := XMM(), XMM()
	VEXTRACTF128(Imm(1), x, half)
	two(half, x.AsX(), half)
	VSHUFPD(Imm(1), half, half, other)
	one(other, half, half)
	return half
}
