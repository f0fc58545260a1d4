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

// exponential is e^x in four lanes, as Exp has it. room is 32 bytes of the stack.
func exponential(l string, x reg.VecVirtual, table reg.GPVirtual, room Mem) reg.VecVirtual {
	z, p, flag, all := YMM(), YMM(), GP32(), GP32()
	inRange(x, flag)
	TESTL(flag, flag)
	JNZ(LabelRef(l + "some"))
	// A kernel of a small coefficient is zero nearly everywhere.
	VCMPPD(Imm(0x11), constants["expLow"], x, z)
	VMOVMSKPD(z, all)
	zero(p)
	CMPL(all, Imm(15))
	JEQ(LabelRef(l + "within"))
	Label(l + "some")
	copied := YMM()
	VMOVAPD(x, copied)
	VMOVAPD(exponentialWithin([]reg.VecVirtual{copied}, table, room)[0], p)
	// Out of range: 0 below, infinite above, x for NaN.
	CMPL(flag, Imm(15))
	JEQ(LabelRef(l + "within"))
	in, edge, over := YMM(), YMM(), YMM()
	VCMPPD(Imm(0x1D), constants["expLow"], x, in)
	VCMPPD(Imm(0x12), constants["expHigh"], x, over)
	VANDPD(over, in, in)
	VCMPPD(Imm(0x11), constants["expLow"], x, edge)
	VANDNPD(x, edge, edge) // x, or 0 where it is below
	VCMPPD(Imm(0x1E), constants["expHigh"], x, over)
	VBLENDVPD(over, constants["infinite"], edge, edge)
	VBLENDVPD(in, p, edge, p)
	Label(l + "within")
	return p
}

// inRange sets a bit of flag for every lane of x whose exponential needs no second look.
func inRange(x reg.VecVirtual, flag reg.GPVirtual) {
	z := YMM()
	VANDPD(magnitude, x, z)
	VCMPPD(Imm(0x12), constants["minusExpLow"], z, z)
	VMOVMSKPD(z, flag)
}

// exponentialWithin is e^x of vectors that are in range, side by side: a processor looks ahead too little to find the next by itself.
func exponentialWithin(x []reg.VecVirtual, table reg.GPVirtual, room Mem) []reg.VecVirtual {
	n := len(x)
	k, z, p := many(n), many(n), many(max(n, 2)) // x becomes r, z its square
	q := p[:2]
	for _, step := range []func(v int){
		func(v int) { VMULPD(constants["by64Ln2"], x[v], k[v]) },
		func(v int) { VADDPD(constants["roundShift"], k[v], k[v]) },
		func(v int) {
			VPAND(constants["low6"], k[v], q[v&1])
			VMOVUPD(q[v&1], room.Offset(32*v))
			VSUBPD(constants["roundShift"], k[v], z[v])
		},
		func(v int) {
			VMULPD(constants["ln2By64Hi"], z[v], q[v&1])
			VSUBPD(q[v&1], x[v], x[v])
		},
		func(v int) { VMULPD(constants["ln2By64Lo"], z[v], z[v]) },
		func(v int) { VSUBPD(z[v], x[v], x[v]) },
		func(v int) {
			VMOVUPD(constants["low6"], q[v&1])
			VPANDN(k[v], q[v&1], k[v])
			VPSLLQ(Imm(46), k[v], k[v])
		},
		func(v int) { VMULPD(x[v], x[v], z[v]) },
		func(v int) { VMULPD(constants["sixth"], x[v], p[v]) },
		func(v int) { VADDPD(constants["half"], p[v], p[v]) },
		func(v int) { VMULPD(z[v], p[v], p[v]) },
		func(v int) { VADDPD(x[v], p[v], p[v]) },
		func(v int) { VMULPD(constants["by120"], x[v], x[v]) },
		func(v int) { VADDPD(constants["by24"], x[v], x[v]) },
		func(v int) { VMULPD(z[v], z[v], z[v]) },
		func(v int) { VMULPD(x[v], z[v], z[v]) },
		func(v int) { VADDPD(z[v], p[v], p[v]) },
		func(v int) {
			t := lookUp(table, room.Offset(32*v))
			VMULPD(p[v], t, p[v])
			VADDPD(p[v], t, p[v])
		},
		func(v int) { VPADDQ(k[v], p[v], p[v]) },
	} {
		for v := range n {
			step(v)
		}
	}
	return p[:n]
}

// lookUp returns four entries of a table, whose places are in room: gathers are slow on many processors, and shuffles keep the
// multipliers waiting.
func lookUp(table reg.GPVirtual, room Mem) reg.VecVirtual {
	t, upper := YMM(), YMM()
	for k, half := range []reg.VecVirtual{t, upper} {
		first, second := GP64(), GP64()
		MOVBQZX(room.Offset(16*k), first)
		VBROADCASTSD(Mem{Base: table, Index: first, Scale: 8}, half)
		MOVBQZX(room.Offset(16*k+8), second)
		VMOVHPD(Mem{Base: table, Index: second, Scale: 8}, half.AsX(), half.AsX())
	}
	VINSERTF128(Imm(1), upper.AsX(), t, t)
	return t
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
		{"expLow", -708}, {"minusExpLow", 708}, {"expHigh", 709}, {"ln2By64Hi", 0x1.62e42fp-7}, {"ln2By64Lo", 0x1.df473de6af279p-32},
		{"by64Ln2", 0x1.71547652b82fep+6}, {"roundShift", 0x1.8p52}, {"half", 0.5}, {"sixth", 1.0 / 6},
		{"by24", 1.0 / 24}, {"by120", 1.0 / 120}, {"infinite", math.Inf(1)}, {"lowest", math.Inf(-1)}, {"one", 1}, {"two", 2},
		{"normal", 0x1p-1022}, {"largest", math.MaxFloat64}, {"magic", 0x1p52}, {"magicBias", 0x1p52 + 1022}, {"root", math.Sqrt2 / 2},
		{"log1", 6.666666666666735130e-01}, {"log2", 3.999999999940941908e-01}, {"log3", 2.857142874366239149e-01},
		{"log4", 2.222219843214978396e-01}, {"log5", 1.818357216161805012e-01}, {"log6", 1.531383769920937332e-01},
		{"log7", 1.479819860511658591e-01}, {"ln2Hi", 6.93147180369123816490e-01}, {"ln2Lo", 1.90821492927058770002e-10},
		{"minusOne", -1}, {"four", 4}, {"belowOne", 1 - 0x1p-50},
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
