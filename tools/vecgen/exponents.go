package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func expRows() {
	kernel("expRows", "func(l *float64, ldl int, f, v, k, col *float64, ld, rows, n int, table *float64)",
		"sets k to exp(l + (f_i + v)), col to its column sums. Strides are in bytes.")
	l, f, g, k, col, n, table := arg("l"), arg("f"), arg("v"), arg("k"), arg("col"), arg("n"), arg("table")
	i, room := GP64(), AllocLocal(32)
	nought := zeros()
	overVectors("clear", i, n, "cleared", func(s span) {
		if s.mask != nil {
			nought = zeros()
		}
		s.store(nought, col)
	})
	Label("cleared")
	Label("row")
	c := broadcast(Mem{Base: f})
	overVectors("exp", i, n, "next", func(s span) {
		u, x := s.load(g), s.load(l)
		VADDPD(u, c, u)
		VADDPD(u, x, x)
		e := exponential(s.label, x, table, room)
		s.store(e, k)
		VADDPD(s.load(col), e, e)
		s.store(e, col)
	})
	Label("next")
	ADDQ(mem("ldl"), l)
	ADDQ(mem("ld"), k)
	ADDQ(Imm(8), f)
	countDown(mem("rows"), "row")
}

// addMax and expLess are the columns' half of a sweep in the log domain.
func addMax() {
	kernel("addMax", "func(f float64, l, k, top *float64, n int)", "sets k to l + f and raises top to k where that is larger.")
	f, l, k, top, n, i := spread("f"), arg("l"), arg("k"), arg("top"), arg("n"), GP64()
	overRow("max", i, n, []int{1, 0}, func(o ops, _ int) {
		v := o.register()
		o.add(at(l, i, 0), o.of(f), v)
		o.mov(v, at(k, i, 0))
		o.max(at(top, i, 0), v, v)
		o.mov(v, at(top, i, 0))
	})
}

func expLess() {
	kernel("expLess", "func(k, top, sum *float64, n int, table *float64)", "adds exp(k - top) to sum.")
	k, top, sum, n, table, i := arg("k"), arg("top"), arg("sum"), arg("n"), arg("table"), GP64()
	room := AllocLocal(32)
	overVectors("exp", i, n, "done", func(s span) {
		v, w := s.load(k), YMM()
		VSUBPD(s.operand(top, w), v, v)
		e := exponential(s.label, v, table, room)
		VADDPD(s.operand(sum, w), e, e)
		s.store(e, sum)
	})
	Label("done")
}

// expSum computes a row's half: the largest exponent, and the sum of exponentials relative to it,
// from first to last.
func expSum() {
	kernel("expSum", "func(l, v, x *float64, n int, table *float64) (top, sum float64)",
		"returns the largest of l + v and the sum of exp(l + v - top), entry by entry. x is room for n, rounded up to four.")
	l, g, x, n, table, i := arg("l"), arg("v"), arg("x"), arg("n"), arg("table"), GP64()
	lowest, high := load(constants["lowest"]), YMM()
	VMOVAPD(lowest, high)
	overVectors("max", i, n, "top", func(s span) {
		v := s.load(l)
		VADDPD(s.operand(g, YMM()), v, v)
		if s.mask != nil {
			VBLENDVPD(s.mask, v, lowest, v)
		}
		VMOVUPD(v, at(x, i, 0))
		VMAXPD(high, v, high)
	})
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
	overRow("exp", i, end4, []int{1}, func(ops, int) {
		v := load(at(x, i, 0))
		VSUBPD(top, v, v)
		addLanes(exponential("exp", v, table, room), sum)
	})
	Store(sum, Return("sum"))
}

// logAdd is Log in four lanes. It ends before the first vector with an entry that is not a positive normal number.
func logAdd() {
	kernel("logAdd", "func(x, y *float64, n int) (done int)",
		"adds log x to y and returns how many entries it went over: all before the first four with an entry that is not a positive normal number.")
	x, y, n, i := arg("x"), arg("y"), arg("n"), GP64()
	overVectors("log", i, n, "out", func(s span) {
		var one reg.VecVirtual
		if s.mask != nil {
			one = load(constants["one"])
		}
		v := s.load(x)
		if s.mask != nil {
			VBLENDVPD(s.mask, v, one, v)
		}
		least, most := YMM(), YMM()
		VCMPPD(Imm(0x1D), constants["normal"], v, least)
		VCMPPD(Imm(0x12), constants["largest"], v, most)
		VANDPD(most, least, least)
		allLanes(least)
		JNE(LabelRef("out"))
		e, f, small, w := YMM(), YMM(), YMM(), YMM()
		VPSRLQ(Imm(52), v, e)
		VPOR(constants["magic"], e, e)
		VSUBPD(constants["magicBias"], e, e)
		VPAND(fraction, v, f)
		VPOR(constants["half"], f, f)
		VCMPPD(Imm(0x11), constants["root"], f, small)
		VANDPD(f, small, w)
		VADDPD(w, f, f)
		VANDPD(constants["one"], small, w)
		VSUBPD(w, e, e)
		VSUBPD(constants["one"], f, f)
		q, s2, s4 := YMM(), YMM(), YMM()
		VADDPD(constants["two"], f, w)
		VDIVPD(w, f, q)
		VMULPD(q, q, s2)
		VMULPD(s2, s2, s4)
		t1 := polynomial(s4, "log7", "log5", "log3", "log1")
		VMULPD(s2, t1, t1)
		t2 := polynomial(s4, "log6", "log4", "log2")
		VMULPD(s4, t2, t2)
		VADDPD(t2, t1, t1)
		h := YMM()
		VMULPD(constants["half"], f, h)
		VMULPD(f, h, h)
		VADDPD(t1, h, t1)
		VMULPD(q, t1, t1)
		VMULPD(constants["ln2Lo"], e, w)
		VADDPD(w, t1, t1)
		VSUBPD(t1, h, h)
		VSUBPD(f, h, h)
		VMULPD(constants["ln2Hi"], e, e)
		VSUBPD(h, e, e)
		w = s.load(y)
		VADDPD(e, w, w)
		s.store(w, y)
	})
	MOVQ(n, i)
	Label("out")
	Store(i, Return("done"))
}

// polynomial is a polynomial in x by Horner's rule, the coefficients from the highest power down.
func polynomial(x reg.VecVirtual, coefficients ...string) reg.VecVirtual {
	t := YMM()
	VMULPD(constants[coefficients[0]], x, t)
	for _, c := range coefficients[1 : len(coefficients)-1] {
		VADDPD(constants[c], t, t)
		VMULPD(x, t, t)
	}
	VADDPD(constants[coefficients[len(coefficients)-1]], t, t)
	return t
}

// transpose goes over blocks of four by four.
func transpose() {
	kernel("transpose", "func(in *float64, ld, rows, cols int, out *float64, ldo int)",
		"sets out to the transpose of in, rows and cols multiples of four. Strides are in bytes.")
	in, ld, cols, out, ldo := arg("in"), arg("ld"), arg("cols"), arg("out"), arg("ldo")
	ld3, ldo3, from, to, left, rows := GP64(), GP64(), GP64(), GP64(), GP64(), arg("rows")
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
}

// exponential is e^x in four lanes, as Exp has it. room is 32 bytes of the stack.
func exponential(l string, x reg.VecVirtual, table reg.GPVirtual, room Mem) reg.VecVirtual {
	z, p, flag, all := YMM(), YMM(), GP32(), GP32()
	VANDPD(magnitude, x, z)
	VCMPPD(Imm(0x12), constants["minusExpLow"], z, z)
	ifAnyLane(z, flag, l+"some") // in range
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

// exponentialWithin is e^x of vectors that are in range, side by side: a processor looks ahead too little to find the next by itself.
func exponentialWithin(x []reg.VecVirtual, table reg.GPVirtual, room Mem) []reg.VecVirtual {
	n := len(x)
	k, z, p := many(n), many(n), many(max(n, 2)) // x becomes r, z its square
	q := p[:2]
	for _, step := range []func(v int){
		func(v int) { VMULPD(constants["by64Ln2"], x[v], k[v]) },
		func(v int) { VADDPD(constants["roundShift"], k[v], k[v]) },
		func(v int) {
			VPAND(low6, k[v], q[v&1])
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
			VMOVUPD(low6, q[v&1])
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

// words is a table of words, and four a word in all lanes.
func words(name string, values ...uint64) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for k, v := range values {
		DATA(8*k, U64(v))
	}
	return m
}

func four(name string, v uint64) Mem { return words(name, v, v, v, v) }

const ones = math.MaxUint64

// The tables, in the order in which they are written. A vector that begins r words before the zeros of masks selects r entries.
var (
	masks     = words("masks", ones, ones, ones, ones, 0, 0, 0, 0)
	magnitude = four("magnitude", 1<<63-1)
	constants = numbers()
	low6      = four("low6", 63)
	fraction  = four("fraction", 1<<52-1)
	laneBits  = words("laneBits", 1, 2, 4, 8)

	signShifts  = words("signShifts", 63, 62, 61, 60, 59, 58, 57, 56)
	firstPlaces = words("firstPlaces", math.Float64bits(0), math.Float64bits(1), math.Float64bits(2), math.Float64bits(3))
)

// numbers are constants in all lanes.
func numbers() map[string]Mem {
	all := map[string]Mem{}
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
		all[c.name] = four(c.name, math.Float64bits(c.value))
	}
	return all
}
