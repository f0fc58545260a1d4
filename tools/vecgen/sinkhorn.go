package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sweep is one sweep of Sinkhorn's algorithm: over the rows of a kernel, four at a time where they all have weight and
// quotients within bounds, and then over its columns.
func sweep() {
	kernel("sweepAVX2", "func(k *float64, ld, rows int, wa, wb, a, b, next *float64, low, high float64) (err float64, ok bool)",
		"sweepAVX2 sets a_i to wa_i / <k_i, b>, next to the sum of a_i k_i and then to wb / next, where the weights are not "+
			"zero. ok says whether all quotients are in [low, high]; err sums |a_i <k_i, b> - wa_i| with the a before.")
	k, ld, w, a, b, next := ptr("k"), num("ld"), ptr("wa"), ptr("a"), ptr("b"), ptr("next")
	err, i, row, until := XMM(), GP64(), GP64(), GP64()
	VXORPD(err, err, err)
	XORQ(row, row)
	clearRow("clear", next, ld, i)

	Label("block")
	MOVQ(mem("rows"), until)
	LEAQ(Mem{Base: row, Disp: 4}, i)
	CMPQ(i, until)
	JGT(LabelRef("single"))
	fourRows(k, ld, w, a, b, next, i, row, err)
	JMP(LabelRef("block"))
	Label("alone")
	LEAQ(Mem{Base: row, Disp: 4}, until)

	Label("single")
	CMPQ(row, until)
	JGE(LabelRef("rested"))
	oneRow(k, ld, w, a, b, next, i, row, err)
	JMP(LabelRef("single"))
	Label("rested")
	CMPQ(row, mem("rows"))
	JLT(LabelRef("block"))

	all := quotients("columns", mem("wb"), next, ld, i)
	Store(err, Return("err"))
	Store(all, Return("ok"))
	end()
	Label("out")
	no := GP8()
	XORB(no, no)
	Store(err, Return("err"))
	Store(no, Return("ok"))
	end()
}

// fourRows goes to "alone" where one of the four needs a row of its own.
func fourRows(k, ld, w, a, b, next, i, row reg.GPVirtual, err reg.VecVirtual) {
	flag := GP32()
	weights, test := YMM(), YMM()
	VMOVUPD(at(w, row, 0), weights)
	zero(test)
	VCMPPD(Imm(0), test, weights, test)
	VMOVMSKPD(test, flag)
	TESTL(flag, flag)
	JNZ(LabelRef("alone"))
	rows := []reg.GPVirtual{k, GP64(), GP64(), GP64()}
	for r := 1; r < 4; r++ {
		LEAQ(Mem{Base: rows[r-1], Index: ld, Scale: 8}, rows[r])
	}
	sum := fold4(dotRows("dot", []int{2}, rows, b, ld, i))
	q, ok, below := YMM(), YMM(), YMM()
	VMOVUPD(at(w, row, 0), weights)
	VDIVPD(sum, weights, q)
	within(q, ok, below)
	VMOVMSKPD(ok, flag)
	CMPL(flag, Imm(15))
	JNE(LabelRef("alone"))
	VMULPD(at(a, row, 0), sum, sum)
	VSUBPD(weights, sum, sum)
	VANDPD(magnitude, sum, sum)
	VMOVUPD(q, at(a, row, 0))
	second := XMM()
	VADDSD(sum.AsX(), err, err)
	VUNPCKHPD(sum.AsX(), sum.AsX(), second)
	VADDSD(second, err, err)
	VEXTRACTF128(Imm(1), sum, second)
	VADDSD(second, err, err)
	VUNPCKHPD(second, second, second)
	VADDSD(second, err, err)
	f := many(4)
	VBROADCASTSD(q.AsX(), f[0])
	VPERMPD(Imm(0x55), q, f[1])
	VPERMPD(Imm(0xAA), q, f[2])
	VPERMPD(Imm(0xFF), q, f[3])
	overRow("gather", i, ld, []int{1}, func(int) {
		v := YMM()
		VMOVUPD(at(next, i, 0), v)
		for r := range rows {
			x := YMM()
			VMULPD(at(rows[r], i, 0), f[r], x)
			VADDPD(x, v, v)
		}
		VMOVUPD(v, at(next, i, 0))
	})
	LEAQ(Mem{Base: rows[3], Index: ld, Scale: 8}, k)
	ADDQ(Imm(4), row)
}

// oneRow goes to "out" where the quotient is not within bounds.
func oneRow(k, ld, w, a, b, next, i, row reg.GPVirtual, err reg.VecVirtual) {
	sum, x, t, factor := XMM(), XMM(), XMM(), YMM()
	VXORPD(t, t, t)
	VUCOMISD(Mem{Base: w, Index: row, Scale: 8}, t)
	JNE(LabelRef("weighs"))
	JPS(LabelRef("weighs")) // not a number
	JMP(LabelRef("weightless"))
	Label("weighs")
	dotRow("sum", k, b, ld, i, sum)
	VMOVSD(Mem{Base: w, Index: row, Scale: 8}, x)
	VDIVSD(sum, x, x)
	low, high := real("low"), real("high")
	VUCOMISD(low, x) // x >= low, or else, or not a number
	JCS(LabelRef("out"))
	VUCOMISD(x, high)
	JCS(LabelRef("out"))
	VMULSD(Mem{Base: a, Index: row, Scale: 8}, sum, sum)
	VSUBSD(Mem{Base: w, Index: row, Scale: 8}, sum, sum)
	VANDPD(magnitude, sum, sum)
	VADDSD(sum, err, err)
	VMOVSD(x, Mem{Base: a, Index: row, Scale: 8})
	VBROADCASTSD(x, factor)
	axpyRow("add", factor, k, next, ld, i)
	Label("weightless")
	LEAQ(Mem{Base: k, Index: ld, Scale: 8}, k)
	INCQ(row)
}

// within sets ok to the lanes of q that are in [low, high], which stand in memory.
func within(q, ok, work reg.VecVirtual) {
	VBROADCASTSD(mem("low"), work)
	VCMPPD(Imm(0x1D), work, q, ok)
	VBROADCASTSD(mem("high"), work)
	VCMPPD(Imm(0x12), work, q, work)
	VANDPD(work, ok, ok)
}

func clearRow(l string, x, n, i reg.GPVirtual) {
	v := YMM()
	zero(v)
	overRow(l, i, n, []int{1}, func(int) { VMOVUPD(v, at(x, i, 0)) })
}

// quotients sets x to w / x, or 0 where w is, in rows of n entries, a multiple of four. It returns whether all
// quotients are within bounds.
func quotients(l string, w Op, x, n, i reg.GPVirtual) reg.GPVirtual {
	all, from, flag := YMM(), GP64(), GP32()
	MOVQ(w, from)
	VPCMPEQQ(all, all, all)
	overRow(l, i, n, []int{1}, func(int) {
		v, none, q, ok, work := YMM(), YMM(), YMM(), YMM(), YMM()
		VMOVUPD(at(from, i, 0), v)
		zero(none)
		VCMPPD(Imm(0), none, v, none)
		VDIVPD(at(x, i, 0), v, q)
		within(q, ok, work)
		VORPD(none, ok, ok)
		VANDPD(ok, all, all)
		VANDNPD(q, none, q)
		VMOVUPD(q, at(x, i, 0))
	})
	yes := GP8()
	VMOVMSKPD(all, flag)
	CMPL(flag, Imm(15))
	SETEQ(yes)
	return yes
}

func quotientsAlone() {
	kernel("quotientsAVX2", "func(w, x *float64, n int, low, high float64) (ok bool)",
		"quotientsAVX2 sets x to w / x, or 0 where w is; ok says whether all others are in [low, high].")
	x, n, i := ptr("x"), num("n"), GP64()
	Store(quotients("divide", mem("w"), x, n, i), Return("ok"))
	end()
}

// plan is a kernel between its factors, beside the plan before.
func plan() {
	kernel("planAVX2", "func(k *float64, ld, rows int, w, a, b, out *float64) (err, change float64)",
		"planAVX2 sets out to a_i k_ij b_j. err sums |row sum - w_i|, change |out - out before|.")
	k, ld, w, a, b, out := ptr("k"), num("ld"), ptr("w"), ptr("a"), ptr("b"), ptr("out")
	rows, i := num("rows"), GP64()
	err, change := XMM(), YMM()
	VXORPD(err, err, err)
	zero(change)
	Label("row")
	c, all, sum := YMM(), YMM(), XMM()
	VBROADCASTSD(Mem{Base: a}, c)
	zero(all)
	overRow("plan", i, ld, []int{1}, func(int) {
		v, d := YMM(), YMM()
		VMULPD(at(b, i, 0), c, v)
		VMULPD(at(k, i, 0), v, v)
		VADDPD(v, all, all)
		VSUBPD(at(out, i, 0), v, d)
		VANDPD(magnitude, d, d)
		VADDPD(d, change, change)
		VMOVUPD(v, at(out, i, 0))
	})
	foldLanes(all, sum)
	VSUBSD(Mem{Base: w}, sum, sum)
	VANDPD(magnitude, sum, sum)
	VADDSD(sum, err, err)
	LEAQ(Mem{Base: k, Index: ld, Scale: 8}, k)
	LEAQ(Mem{Base: out, Index: ld, Scale: 8}, out)
	ADDQ(Imm(8), a)
	ADDQ(Imm(8), w)
	DECQ(rows)
	JNZ(LabelRef("row"))
	total := XMM()
	foldLanes(change, total)
	Store(err, Return("err"))
	Store(total, Return("change"))
	end()
}
