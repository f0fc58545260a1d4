package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sweep is one sweep of Sinkhorn's algorithm over the rows of a kernel.
func sweep() {
	kernel("sweepAVX2", "func(k *float64, ld, rows int, w, a, b, col *float64, low, high float64) (err float64, done int)",
		"sweepAVX2 sets a_i to w_i / <k_i, b> and adds a_i k_i to col, for every row with w_i != 0, until a quotient is not in "+
			"[low, high]. err sums |a_i <k_i, b> - w_i| with the a before; done counts the rows.")
	k, ld, w, a, b, col := ptr("k"), num("ld"), ptr("w"), ptr("a"), ptr("b"), ptr("col")
	err, sum, x, t, factor, i, row := XMM(), XMM(), XMM(), XMM(), YMM(), GP64(), GP64()
	VXORPD(err, err, err)
	XORQ(row, row)
	Label("row")
	VXORPD(t, t, t)
	VUCOMISD(Mem{Base: w, Index: row, Scale: 8}, t)
	JNE(LabelRef("weighs"))
	JPS(LabelRef("weighs")) // not a number
	JMP(LabelRef("next"))
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
	axpyRow("add", factor, k, col, ld, i)
	Label("next")
	LEAQ(Mem{Base: k, Index: ld, Scale: 8}, k)
	INCQ(row)
	CMPQ(row, mem("rows"))
	JLT(LabelRef("row"))
	Label("out")
	Store(err, Return("err"))
	Store(row, Return("done"))
	end()
}

// four is a constant in all lanes.
func four(name string, v uint64) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for k := range 4 {
		DATA(8*k, U64(v))
	}
	return m
}

// expRow is exp(x_j + (c + y_j)): the polynomial and the table of Exp.
func expRow() {
	kernel("expRowAVX2", "func(dst, x, y *float64, c float64, n int, table *float64)",
		"expRowAVX2 sets dst to exp(x + (c + y)); table holds 2^(k/64) for k < 64.")
	dst, x, y, c, n, table := ptr("dst"), ptr("x"), ptr("y"), spread("c"), num("n"), ptr("table")
	i := GP64()
	overRow("exp", i, n, []int{1}, func(int) {
		v := YMM()
		VADDPD(at(y, i, 0), c, v)
		VADDPD(at(x, i, 0), v, v)
		VMOVUPD(exponential("exp", v, table), at(dst, i, 0))
	})
	CMPQ(i, n)
	JEQ(LabelRef("done"))
	mask, v, w := tailMask(i, n), YMM(), YMM()
	VMASKMOVPD(at(y, i, 0), mask, v)
	VMASKMOVPD(at(x, i, 0), mask, w)
	VADDPD(v, c, v)
	VADDPD(w, v, v)
	VMASKMOVPD(exponential("tail", v, table), mask, at(dst, i, 0))
	Label("done")
	end()
}

// exponential is e^x in four lanes, as Exp has it.
func exponential(l string, x reg.VecVirtual, table reg.GPVirtual) reg.VecVirtual {
	z, k, r, r2, p, q, t, all := YMM(), YMM(), YMM(), YMM(), YMM(), YMM(), YMM(), YMM()
	VMULPD(constants["by64Ln2"], x, z)
	VADDPD(constants["roundShift"], z, z)
	VMOVAPD(z, k)
	VSUBPD(constants["roundShift"], z, z)
	VMULPD(constants["ln2By64Hi"], z, q)
	VSUBPD(q, x, r)
	VMULPD(constants["ln2By64Lo"], z, q)
	VSUBPD(q, r, r)
	VMULPD(r, r, r2)
	VMULPD(constants["sixth"], r, p)
	VADDPD(constants["half"], p, p)
	VMULPD(r2, p, p)
	VADDPD(r, p, p)
	VMULPD(constants["by120"], r, q)
	VADDPD(constants["by24"], q, q)
	VMULPD(r2, r2, r2)
	VMULPD(q, r2, r2)
	VADDPD(r2, p, p)
	VPAND(constants["low6"], k, q)
	VPCMPEQQ(all, all, all)
	VXORPD(t, t, t)
	VGATHERQPD(all, Mem{Base: table, Index: q, Scale: 8}, t)
	VPANDN(k, constantIn("low6"), k)
	VPSLLQ(Imm(46), k, k)
	VMULPD(p, t, p)
	VADDPD(p, t, p)
	VPADDQ(k, p, p)
	// What is out of range: 0 below, infinite above, x where it is no number.
	in, edge, flag := YMM(), YMM(), GP32()
	VCMPPD(Imm(0x1D), constants["expLow"], x, in)
	VCMPPD(Imm(0x12), constants["expHigh"], x, edge)
	VANDPD(edge, in, in)
	VMOVMSKPD(in, flag)
	CMPL(flag, Imm(15))
	JEQ(LabelRef(l + "within"))
	VCMPPD(Imm(0x11), constants["expLow"], x, edge)
	VANDNPD(x, edge, edge) // x, or 0 where it is below
	over := YMM()
	VCMPPD(Imm(0x1E), constants["expHigh"], x, over)
	VBLENDVPD(over, constants["infinite"], edge, edge)
	VBLENDVPD(in, p, edge, p)
	Label(l + "within")
	return p
}

// constantIn loads a constant into a register.
func constantIn(name string) reg.VecVirtual {
	y := YMM()
	VMOVUPD(constants[name], y)
	return y
}

var constants = map[string]Mem{}

func declareConstants() {
	magnitude = four("magnitude", 1<<63-1)
	for _, c := range []struct {
		name  string
		value float64
	}{
		{"expLow", -708}, {"expHigh", 709}, {"ln2By64Hi", 0x1.62e42fp-7}, {"ln2By64Lo", 0x1.df473de6af279p-32},
		{"by64Ln2", 0x1.71547652b82fep+6}, {"roundShift", 0x1.8p52}, {"half", 0.5}, {"sixth", 1.0 / 6},
		{"by24", 1.0 / 24}, {"by120", 1.0 / 120}, {"infinite", math.Inf(1)},
	} {
		constants[c.name] = four(c.name, math.Float64bits(c.value))
	}
	constants["low6"] = four("low6", 63)
	laneBits = GLOBL("laneBits", RODATA|NOPTR)
	for k := range 4 {
		DATA(8*k, U64(1<<k))
	}
}

var magnitude, laneBits Mem

// tilt is the step of a kernel's exponents in the proximal point algorithm.
func tilt() {
	kernel("tiltAVX2", "func(f float64, v *float64, times float64, p, base, row *float64, n int)",
		"tiltAVX2 adds (f + v) + (times p - base) to row.")
	f, g, times, p, base, row, n, i := spread("f"), ptr("v"), spread("times"), ptr("p"), ptr("base"), ptr("row"), num("n"), GP64()
	overRow("tilt", i, n, []int{1, 0}, func(vectors int) {
		if vectors == 0 {
			v, w := XMM(), XMM()
			VMULSD(at(p, i, 0), times.AsX(), v)
			VSUBSD(at(base, i, 0), v, v)
			VADDSD(at(g, i, 0), f.AsX(), w)
			VADDSD(v, w, w)
			VADDSD(at(row, i, 0), w, w)
			VMOVSD(w, at(row, i, 0))
			return
		}
		v, w := YMM(), YMM()
		VMULPD(at(p, i, 0), times, v)
		VSUBPD(at(base, i, 0), v, v)
		VADDPD(at(g, i, 0), f, w)
		VADDPD(v, w, w)
		VADDPD(at(row, i, 0), w, w)
		VMOVUPD(w, at(row, i, 0))
	})
	end()
}

// mulSum and distance1 sum in four lanes.
func mulSum() {
	kernel("mulSumAVX2", "func(c float64, y, x *float64, n int) float64", "mulSumAVX2 multiplies x by c y and returns the sum.")
	c, y, x, n, i := spread("c"), ptr("y"), ptr("x"), num("n"), GP64()
	sum := lanes("sum", i, n, func(sum reg.VecVirtual) {
		v := YMM()
		VMULPD(at(y, i, 0), c, v)
		VMULPD(at(x, i, 0), v, v)
		VMOVUPD(v, at(x, i, 0))
		VADDPD(v, sum, sum)
	})
	Store(sum, ReturnIndex(0))
	end()
}

func distance1() {
	kernel("distance1AVX2", "func(x, y *float64, n int) float64", "distance1AVX2 is the sum of |x_k - y_k|.")
	x, y, n, i := ptr("x"), ptr("y"), num("n"), GP64()
	sum := lanes("sum", i, n, func(sum reg.VecVirtual) {
		v := YMM()
		VMOVUPD(at(x, i, 0), v)
		VSUBPD(at(y, i, 0), v, v)
		VANDPD(magnitude, v, v)
		VADDPD(v, sum, sum)
	})
	Store(sum, ReturnIndex(0))
	end()
}

// lanes sums over rows whose length is a multiple of four.
func lanes(l string, i, n reg.GPVirtual, body func(sum reg.VecVirtual)) reg.VecVirtual {
	all, sum := YMM(), XMM()
	zero(all)
	overRow(l, i, n, []int{1}, func(int) { body(all) })
	foldLanes(all, sum)
	return sum
}
