package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// expRows computes a kernel from its exponents, and its column sums.
func expRows() {
	kernel("expRowsAVX2", "func(l *float64, ldl int, f, v, k, col *float64, ld, rows, n int, table *float64)",
		"expRowsAVX2 sets k to exp(l + (f_i + v)), col to its column sums. Strides are in bytes.")
	exponents(mem("ldl"))
}

// exponents goes over rows of n entries.
func exponents(ldl Op) {
	l, f, g, k, col, n, table := ptr("l"), ptr("f"), ptr("v"), ptr("k"), ptr("col"), num("n"), ptr("table")
	i, room := GP64(), AllocLocal(32)
	clearRow("clear", col, n, i)
	clearTail(col, n, i)
	Label("row")
	c := YMM()
	VBROADCASTSD(Mem{Base: f}, c)
	step := func(name string, load func(reg.GPVirtual) reg.VecVirtual, store func(reg.VecVirtual, reg.GPVirtual)) {
		u, x := load(g), load(l)
		VADDPD(u, c, u)
		VADDPD(u, x, x)
		e := exponential(name, x, table, room)
		store(e, k)
		VADDPD(load(col), e, e)
		store(e, col)
	}
	overRow("exp", i, n, []int{1}, func(int) {
		step("exp", func(r reg.GPVirtual) reg.VecVirtual {
			v := YMM()
			VMOVUPD(at(r, i, 0), v)
			return v
		}, func(v reg.VecVirtual, r reg.GPVirtual) { VMOVUPD(v, at(r, i, 0)) })
	})
	CMPQ(i, n)
	JEQ(LabelRef("next"))
	mask := tailMask(i, n)
	step("tail", func(r reg.GPVirtual) reg.VecVirtual {
		v := YMM()
		VMASKMOVPD(at(r, i, 0), mask, v)
		return v
	}, func(v reg.VecVirtual, r reg.GPVirtual) { VMASKMOVPD(v, mask, at(r, i, 0)) })
	Label("next")
	ADDQ(ldl, l)
	ADDQ(mem("ld"), k)
	ADDQ(Imm(8), f)
	DECQ(mem("rows"))
	JNZ(LabelRef("row"))
	end()
}

// clearTail clears the last n - i < 4 entries.
func clearTail(x, n, i reg.GPVirtual) {
	CMPQ(i, n)
	JEQ(LabelRef("cleared"))
	mask, v := tailMask(i, n), YMM()
	zero(v)
	VMASKMOVPD(v, mask, at(x, i, 0))
	Label("cleared")
}

// addMax and expLess are the columns' half of a sweep in the log domain.
func addMax() {
	kernel("addMaxAVX2", "func(f float64, l, k, top *float64, n int)", "addMaxAVX2 sets k to l + f and raises top to k where that is larger.")
	f, l, k, top, n, i := spread("f"), ptr("l"), ptr("k"), ptr("top"), num("n"), GP64()
	overRow("max", i, n, []int{1, 0}, func(vectors int) {
		if vectors == 0 {
			v := XMM()
			VADDSD(at(l, i, 0), f.AsX(), v)
			VMOVSD(v, at(k, i, 0))
			VMAXSD(at(top, i, 0), v, v)
			VMOVSD(v, at(top, i, 0))
			return
		}
		v := YMM()
		VADDPD(at(l, i, 0), f, v)
		VMOVUPD(v, at(k, i, 0))
		VMAXPD(at(top, i, 0), v, v)
		VMOVUPD(v, at(top, i, 0))
	})
	end()
}

func expLess() {
	kernel("expLessAVX2", "func(k, top, sum *float64, n int, table *float64)", "expLessAVX2 adds exp(k - top) to sum.")
	k, top, sum, n, table, i := ptr("k"), ptr("top"), ptr("sum"), num("n"), ptr("table"), GP64()
	room := AllocLocal(32)
	overRow("exp", i, n, []int{1}, func(int) {
		v := YMM()
		VMOVUPD(at(k, i, 0), v)
		VSUBPD(at(top, i, 0), v, v)
		e := exponential("exp", v, table, room)
		VADDPD(at(sum, i, 0), e, e)
		VMOVUPD(e, at(sum, i, 0))
	})
	CMPQ(i, n)
	JEQ(LabelRef("done"))
	mask, v, w := tailMask(i, n), YMM(), YMM()
	VMASKMOVPD(at(k, i, 0), mask, v)
	VMASKMOVPD(at(top, i, 0), mask, w)
	VSUBPD(w, v, v)
	e := exponential("tail", v, table, room)
	VMASKMOVPD(at(sum, i, 0), mask, w)
	VADDPD(w, e, e)
	VMASKMOVPD(e, mask, at(sum, i, 0))
	Label("done")
	end()
}

// expSum computes a row's half: the largest exponent, and the sum of exponentials relative to it,
// from first to last.
func expSum() {
	kernel("expSumAVX2", "func(l, v, x *float64, n int, table *float64) (top, sum float64)",
		"expSumAVX2 returns the largest of l + v and the sum of exp(l + v - top), entry by entry. x is room for n, rounded up to four.")
	l, g, x, n, table, i := ptr("l"), ptr("v"), ptr("x"), num("n"), ptr("table"), GP64()
	lowest, high := YMM(), YMM()
	VMOVUPD(constants["lowest"], lowest)
	VMOVAPD(lowest, high)
	overRow("max", i, n, []int{1}, func(int) {
		v := YMM()
		VMOVUPD(at(l, i, 0), v)
		VADDPD(at(g, i, 0), v, v)
		VMOVUPD(v, at(x, i, 0))
		VMAXPD(high, v, high)
	})
	CMPQ(i, n)
	JEQ(LabelRef("top"))
	mask, v, w := tailMask(i, n), YMM(), YMM()
	VMASKMOVPD(at(l, i, 0), mask, v)
	VMASKMOVPD(at(g, i, 0), mask, w)
	VADDPD(w, v, v)
	VBLENDVPD(mask, v, lowest, v)
	VMOVUPD(v, at(x, i, 0))
	VMAXPD(high, v, high)
	ADDQ(Imm(4), i)
	Label("top")
	other, top := XMM(), YMM()
	VEXTRACTF128(Imm(1), high, other)
	VMAXPD(other, high.AsX(), other)
	VUNPCKHPD(other, other, top.AsX())
	VMAXSD(top.AsX(), other, other)
	Store(other, Return("top"))
	VBROADCASTSD(other, top)
	sum, end4, room := XMM(), GP64(), AllocLocal(32)
	VXORPD(sum, sum, sum)
	MOVQ(i, end4)
	overRow("exp", i, end4, []int{1}, func(int) {
		v, part := YMM(), XMM()
		VMOVUPD(at(x, i, 0), v)
		VSUBPD(top, v, v)
		e := exponential("exp", v, table, room)
		VADDSD(e.AsX(), sum, sum)
		VUNPCKHPD(e.AsX(), e.AsX(), part)
		VADDSD(part, sum, sum)
		VEXTRACTF128(Imm(1), e, part)
		VADDSD(part, sum, sum)
		VUNPCKHPD(part, part, part)
		VADDSD(part, sum, sum)
	})
	Store(sum, Return("sum"))
	end()
}

// logAdd is Log in four lanes. It ends before the first vector with an entry that is not a positive normal number.
func logAdd() {
	kernel("logAddAVX2", "func(x, y *float64, n int) (done int)",
		"logAddAVX2 adds log x to y and returns how many entries it went over: all before the first four with an entry that is not a positive normal number.")
	x, y, n, i := ptr("x"), ptr("y"), num("n"), GP64()
	step := func(load func(reg.GPVirtual) reg.VecVirtual, store func(reg.VecVirtual)) {
		v := load(x)
		least, most, flag := YMM(), YMM(), GP32()
		VCMPPD(Imm(0x1D), constants["normal"], v, least)
		VCMPPD(Imm(0x12), constants["largest"], v, most)
		VANDPD(most, least, least)
		VMOVMSKPD(least, flag)
		CMPL(flag, Imm(15))
		JNE(LabelRef("out"))
		e, f, small, w := YMM(), YMM(), YMM(), YMM()
		VPSRLQ(Imm(52), v, e)
		VPOR(constants["magic"], e, e)
		VSUBPD(constants["magicBias"], e, e)
		VPAND(constants["fraction"], v, f)
		VPOR(constants["half"], f, f)
		VCMPPD(Imm(0x11), constants["root"], f, small)
		VANDPD(f, small, w)
		VADDPD(w, f, f)
		VANDPD(constants["one"], small, w)
		VSUBPD(w, e, e)
		VSUBPD(constants["one"], f, f)
		s, s2, s4 := YMM(), YMM(), YMM()
		VADDPD(constants["two"], f, w)
		VDIVPD(w, f, s)
		VMULPD(s, s, s2)
		VMULPD(s2, s2, s4)
		t1, t2 := YMM(), YMM()
		VMULPD(constants["log7"], s4, t1)
		VADDPD(constants["log5"], t1, t1)
		VMULPD(s4, t1, t1)
		VADDPD(constants["log3"], t1, t1)
		VMULPD(s4, t1, t1)
		VADDPD(constants["log1"], t1, t1)
		VMULPD(s2, t1, t1)
		VMULPD(constants["log6"], s4, t2)
		VADDPD(constants["log4"], t2, t2)
		VMULPD(s4, t2, t2)
		VADDPD(constants["log2"], t2, t2)
		VMULPD(s4, t2, t2)
		VADDPD(t2, t1, t1)
		h := YMM()
		VMULPD(constants["half"], f, h)
		VMULPD(f, h, h)
		VADDPD(t1, h, t1)
		VMULPD(s, t1, t1)
		VMULPD(constants["ln2Lo"], e, w)
		VADDPD(w, t1, t1)
		VSUBPD(t1, h, h)
		VSUBPD(f, h, h)
		VMULPD(constants["ln2Hi"], e, e)
		VSUBPD(h, e, e)
		w = load(y)
		VADDPD(e, w, w)
		store(w)
	}
	overRow("log", i, n, []int{1}, func(int) {
		step(func(r reg.GPVirtual) reg.VecVirtual {
			v := YMM()
			VMOVUPD(at(r, i, 0), v)
			return v
		}, func(v reg.VecVirtual) { VMOVUPD(v, at(y, i, 0)) })
	})
	CMPQ(i, n)
	JEQ(LabelRef("out"))
	mask, one := tailMask(i, n), YMM()
	VMOVUPD(constants["one"], one)
	step(func(r reg.GPVirtual) reg.VecVirtual {
		v := YMM()
		VMASKMOVPD(at(r, i, 0), mask, v)
		if r == x {
			VBLENDVPD(mask, v, one, v)
		}
		return v
	}, func(v reg.VecVirtual) { VMASKMOVPD(v, mask, at(y, i, 0)) })
	MOVQ(n, i)
	Label("out")
	Store(i, Return("done"))
	end()
}

// transpose goes over blocks of four by four.
func transpose() {
	kernel("transposeAVX2", "func(in *float64, ld, rows, cols int, out *float64, ldo int)",
		"transposeAVX2 sets out to the transpose of in, rows and cols multiples of four. Strides are in bytes.")
	in, ld, cols, out, ldo := ptr("in"), num("ld"), num("cols"), ptr("out"), num("ldo")
	ld3, ldo3, from, to, left, rows := GP64(), GP64(), GP64(), GP64(), GP64(), num("rows")
	LEAQ(Mem{Base: ld, Index: ld, Scale: 2}, ld3)
	LEAQ(Mem{Base: ldo, Index: ldo, Scale: 2}, ldo3)
	Label("row")
	MOVQ(in, from)
	MOVQ(out, to)
	MOVQ(cols, left)
	Label("block")
	r, t := many(4), many(4)
	VMOVUPD(Mem{Base: from}, r[0])
	VMOVUPD(Mem{Base: from, Index: ld, Scale: 1}, r[1])
	VMOVUPD(Mem{Base: from, Index: ld, Scale: 2}, r[2])
	VMOVUPD(Mem{Base: from, Index: ld3, Scale: 1}, r[3])
	VUNPCKLPD(r[1], r[0], t[0])
	VUNPCKHPD(r[1], r[0], t[1])
	VUNPCKLPD(r[3], r[2], t[2])
	VUNPCKHPD(r[3], r[2], t[3])
	VPERM2F128(Imm(0x20), t[2], t[0], r[0])
	VPERM2F128(Imm(0x20), t[3], t[1], r[1])
	VPERM2F128(Imm(0x31), t[2], t[0], r[2])
	VPERM2F128(Imm(0x31), t[3], t[1], r[3])
	VMOVUPD(r[0], Mem{Base: to})
	VMOVUPD(r[1], Mem{Base: to, Index: ldo, Scale: 1})
	VMOVUPD(r[2], Mem{Base: to, Index: ldo, Scale: 2})
	VMOVUPD(r[3], Mem{Base: to, Index: ldo3, Scale: 1})
	ADDQ(Imm(32), from)
	LEAQ(Mem{Base: to, Index: ldo, Scale: 4}, to)
	SUBQ(Imm(4), left)
	JNZ(LabelRef("block"))
	LEAQ(Mem{Base: in, Index: ld, Scale: 4}, in)
	ADDQ(Imm(32), out)
	SUBQ(Imm(4), rows)
	JNZ(LabelRef("row"))
	end()
}
