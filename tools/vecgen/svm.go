package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// single is entry i (in entries) of a vector in single precision, plus a constant.
func single(base reg.Register, i reg.Register, entries int) Mem {
	return Mem{Base: base, Index: i, Scale: 4, Disp: 4 * entries}
}

// lessMax keeps for each lane the largest sum and where it was met last (as a number); of the lanes with the largest of all the last
// place counts.
func lessMax() {
	kernel("lessMax", "func(c0, c1 float64, x0, x1 *float32, v, off *float64, n int) (place int, top float64)",
		"takes c0 x0 + c1 x1 off v and returns the last place of the largest v_k + off_k, and that; 0 and -Inf if none is a number. "+
			"n is a multiple of four.")
	c0, c1, x0, x1, v, off, n, k := spread("c0"), spread("c1"), arg("x0"), arg("x1"), arg("v"), arg("off"), arg("n"), GP64()
	var top, place [2]reg.VecVirtual // two of each, since a comparison waits for the one before
	for c := range top {
		top[c], place[c] = load(constants["lowest"]), zeros()
	}
	now := load(firstPlaces)
	eachVector("less", k, n, []int{2, 1}, func(_ ops, c int) {
		a, b, u, least := YMM(), YMM(), YMM(), YMM()
		VCVTPS2PD(single(x0, k, 4*c), a)
		VMULPD(c0, a, a)
		VCVTPS2PD(single(x1, k, 4*c), b)
		VMULPD(c1, b, b)
		VADDPD(b, a, a)
		VMOVUPD(at(v, k, 4*c), u)
		VSUBPD(a, u, u)
		VMOVUPD(u, at(v, k, 4*c))
		VADDPD(at(off, k, 4*c), u, u)
		VCMPPD(Imm(0x1d), top[c], u, least) // u >= top, quietly false for NaN
		VBLENDVPD(least, u, top[c], top[c])
		VBLENDVPD(least, now, place[c], place[c])
		VADDPD(constants["four"], now, now)
	})
	most := YMM()
	VMAXPD(top[0], top[1], most)
	largest := largestLane(most)
	Store(largest, Return("top"))
	VBROADCASTSD(largest, most)
	for c := range top {
		equal := YMM()
		VCMPPD(Imm(0), most, top[c], equal)
		VANDPD(equal, place[c], place[c])
	}
	VMAXPD(place[0], place[1], most)
	found := GP64()
	VCVTTSD2SIQ(largestLane(most), found)
	Store(found, Return("place"))
}

// bestGain goes over four places at a time: where a product tells that none may be the best there is no quotient.
func bestGain() {
	kernel("bestGain", "func(v, off, diag *float64, row *float32, n int, d, m, tau float64) int",
		"returns the last place of the largest t^2 / a with t = m - (v_k + off_k) > 0 and a = d + diag_k - 2 row_k, or tau; "+
			"-1 if there is none. n is a multiple of four.")
	v, off, diag, row, n, k := arg("v"), arg("off"), arg("diag"), arg("row"), arg("n"), GP64()
	d, m, best := spread("d"), spread("m"), XMM()
	zero(best)
	bar, nought, place := zeros(), zeros(), GP64()
	MOVQ(I32(-1), place)
	XORQ(k, k)
	JMP(LabelRef("test"))
	Label("next")
	t, a, square, pass := YMM(), YMM(), YMM(), YMM()
	{
		w, product := load(at(v, k, 0)), YMM()
		VADDPD(at(off, k, 0), w, w)
		VSUBPD(w, m, t)
		VADDPD(at(diag, k, 0), d, a)
		VCVTPS2PD(single(row, k, 0), w)
		VADDPD(w, w, w)
		VSUBPD(w, a, a)
		VMULPD(t, t, square)
		VMULPD(bar, a, product)
		VCMPPD(Imm(0x15), product, square, pass) // not square < product, true for NaN
		VCMPPD(Imm(0x1e), nought, t, product)    // t > 0, quietly false for NaN
		VANDPD(product, pass, pass)
	}
	found := GP32()
	ifAnyLane(pass, found, "quotients")
	Label("after")
	ADDQ(Imm(4), k)
	Label("test")
	branch(k, JLT, n, "next")
	Store(place, ReturnIndex(0))
	end()

	Label("quotients")
	{
		flat, other, gain := YMM(), YMM(), YMM()
		VCMPPD(Imm(0x12), nought, a, flat) // a <= 0
		VBROADCASTSD(mem("tau"), other)
		VBLENDVPD(flat, other, a, a)
		VDIVPD(a, square, gain)
		VMOVUPD(constants["minusOne"], other)
		VBLENDVPD(pass, gain, other, gain)
		top := largestLane(gain)
		VUCOMISD(best, top)
		JB(LabelRef("after")) // top < best
		VMOVSD(top, top, best)
		VBROADCASTSD(top, bar)
		VCMPPD(Imm(0), bar, gain, flat)
		VMOVMSKPD(flat, found)
		BSRL(found, found)
		LEAQ(Mem{Base: k, Index: found.As64(), Scale: 1}, place)
		VMULPD(constants["belowOne"], bar, bar)
		JMP(LabelRef("after"))
	}
}
