package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// four is a constant in all lanes.
func four(name string, v uint64) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for k := range 4 {
		DATA(8*k, U64(v))
	}
	return m
}

// exponential is e^x in four lanes, as Exp has it.
func exponential(l string, x reg.VecVirtual, table reg.GPVirtual) reg.VecVirtual {
	z, k, r, r2, p, q, t := YMM(), YMM(), YMM(), YMM(), YMM(), YMM(), YMM()
	in, edge, flag := YMM(), YMM(), GP32()
	VCMPPD(Imm(0x1D), constants["expLow"], x, in)
	VCMPPD(Imm(0x12), constants["expHigh"], x, edge)
	VANDPD(edge, in, in)
	VMOVMSKPD(in, flag)
	TESTL(flag, flag)
	JNZ(LabelRef(l + "some"))
	// A kernel of a small coefficient is zero nearly everywhere.
	all := GP32()
	VCMPPD(Imm(0x11), constants["expLow"], x, edge)
	VMOVMSKPD(edge, all)
	zero(p)
	CMPL(all, Imm(15))
	JEQ(LabelRef(l + "within"))
	Label(l + "some")
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
	lookUp(table, q, t)
	VPANDN(k, constantIn("low6"), k)
	VPSLLQ(Imm(46), k, k)
	VMULPD(p, t, p)
	VADDPD(p, t, p)
	VPADDQ(k, p, p)
	// What is out of range: 0 below, infinite above, x where it is no number.
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

// lookUp sets t to four entries of a table, one by one: gathers are slow on many processors.
func lookUp(table reg.GPVirtual, index, t reg.VecVirtual) {
	high, upper := XMM(), XMM()
	first, second := GP64(), GP64()
	VMOVQ(index.AsX(), first)
	VPEXTRQ(Imm(1), index.AsX(), second)
	VEXTRACTI128(Imm(1), index, high)
	VMOVSD(Mem{Base: table, Index: first, Scale: 8}, t.AsX())
	VMOVHPD(Mem{Base: table, Index: second, Scale: 8}, t.AsX(), t.AsX())
	third, fourth := GP64(), GP64()
	VMOVQ(high, third)
	VPEXTRQ(Imm(1), high, fourth)
	VMOVSD(Mem{Base: table, Index: third, Scale: 8}, upper)
	VMOVHPD(Mem{Base: table, Index: fourth, Scale: 8}, upper, upper)
	VINSERTF128(Imm(1), upper, t, t)
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
		{"by24", 1.0 / 24}, {"by120", 1.0 / 120}, {"infinite", math.Inf(1)}, {"lowest", math.Inf(-1)}, {"one", 1}, {"two", 2},
		{"normal", 0x1p-1022}, {"largest", math.MaxFloat64}, {"magic", 0x1p52}, {"magicBias", 0x1p52 + 1022}, {"root", math.Sqrt2 / 2},
		{"log1", 6.666666666666735130e-01}, {"log2", 3.999999999940941908e-01}, {"log3", 2.857142874366239149e-01},
		{"log4", 2.222219843214978396e-01}, {"log5", 1.818357216161805012e-01}, {"log6", 1.531383769920937332e-01},
		{"log7", 1.479819860511658591e-01}, {"ln2Hi", 6.93147180369123816490e-01}, {"ln2Lo", 1.90821492927058770002e-10},
		{"minusOne", -1}, {"four", 4},
	} {
		constants[c.name] = four(c.name, math.Float64bits(c.value))
	}
	constants["low6"] = four("low6", 63)
	constants["fraction"] = four("fraction", 1<<52-1)
	laneBits = GLOBL("laneBits", RODATA|NOPTR)
	for k := range 4 {
		DATA(8*k, U64(1<<k))
	}
	signShifts = GLOBL("signShifts", RODATA|NOPTR)
	for k := range 8 {
		DATA(8*k, U64(63-k))
	}
	firstPlaces = GLOBL("firstPlaces", RODATA|NOPTR)
	for k := range 4 {
		DATA(8*k, U64(math.Float64bits(float64(k))))
	}
}

var magnitude, laneBits, firstPlaces, signShifts Mem
