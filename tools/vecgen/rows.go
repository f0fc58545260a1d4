package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var eachSize = []int{4, 1, 0}

func axpy() {
	kernel("axpyAVX2", "func(f float64, x, y *float64, n int)", "axpyAVX2 adds f x to y.")
	f, x, y, n, i := spread("f"), ptr("x"), ptr("y"), num("n"), GP64()
	axpyRow("axpy", f, x, y, n, i)
	end()
}

// axpyRow adds f x to y, both of n entries.
func axpyRow(l string, f reg.VecVirtual, x, y, n, i reg.GPVirtual) {
	overRow(l, i, n, eachSize, func(vectors int) {
		if vectors == 0 {
			v := XMM()
			VMULSD(at(x, i, 0), f.AsX(), v)
			VADDSD(at(y, i, 0), v, v)
			VMOVSD(v, at(y, i, 0))
			return
		}
		v := many(vectors)
		for k := range v {
			VMULPD(at(x, i, 4*k), f, v[k])
		}
		for k := range v {
			VADDPD(at(y, i, 4*k), v[k], v[k])
		}
		for k := range v {
			VMOVUPD(v[k], at(y, i, 4*k))
		}
	})
}

func many(n int) []reg.VecVirtual {
	v := make([]reg.VecVirtual, n)
	for k := range v {
		v[k] = YMM()
	}
	return v
}

// inTurn is four times axpy, with y read and written once.
func inTurn() {
	kernel("inTurnAVX2", "func(c0, c1, c2, c3 float64, x0, x1, x2, x3, y *float64, n int)",
		"inTurnAVX2 adds c0 x0, c1 x1, c2 x2 and c3 x3 to y, one after the other.")
	c := []reg.VecVirtual{spread("c0"), spread("c1"), spread("c2"), spread("c3")}
	x := []reg.GPVirtual{ptr("x0"), ptr("x1"), ptr("x2"), ptr("x3")}
	y, n, i := ptr("y"), num("n"), GP64()
	overRow("inTurn", i, n, []int{2, 1, 0}, func(vectors int) {
		if vectors == 0 {
			s := XMM()
			VMOVSD(at(y, i, 0), s)
			for m := range c {
				v := XMM()
				VMULSD(at(x[m], i, 0), c[m].AsX(), v)
				VADDSD(v, s, s)
			}
			VMOVSD(s, at(y, i, 0))
			return
		}
		for k := range vectors {
			s := YMM()
			VMOVUPD(at(y, i, 4*k), s)
			for m := range c {
				v := YMM()
				VMULPD(at(x[m], i, 4*k), c[m], v)
				VADDPD(v, s, s)
			}
			VMOVUPD(s, at(y, i, 4*k))
		}
	})
	end()
}

// combine is (c0 x0 + c1 x1) + (c2 x2 + c3 x3).
func combine(c []reg.VecVirtual, x func(int) Op) reg.VecVirtual {
	s, t, u := YMM(), YMM(), YMM()
	VMULPD(x(0), c[0], s)
	VMULPD(x(1), c[1], u)
	VADDPD(u, s, s)
	VMULPD(x(2), c[2], t)
	VMULPD(x(3), c[3], u)
	VADDPD(u, t, t)
	VADDPD(t, s, s)
	return s
}

func dot() {
	kernel("dotAVX2", "func(x, y *float64, n int) float64", "dotAVX2 is the sum of x_i y_i in eight lanes.")
	x, y, n, i := ptr("x"), ptr("y"), num("n"), GP64()
	sum := XMM()
	dotRow("dot", x, y, n, i, sum)
	Store(sum, ReturnIndex(0))
	end()
}

// dots is dot of four rows with one, whose sums do not wait for one another.
func dots() {
	kernel("dotsAVX2", "func(x0, x1, x2, x3, y *float64, n int, out *float64)", "dotsAVX2 sets out to the four dots of x0 to x3 with y.")
	rows := []reg.GPVirtual{ptr("x0"), ptr("x1"), ptr("x2"), ptr("x3")}
	VMOVUPD(fold4(dotRows("dots", []int{2}, rows, ptr("y"), num("n"), GP64())), Mem{Base: ptr("out")})
	end()
}

// dotRow sums in eight lanes, folded as Dot says.
func dotRow(l string, x, y, n, i reg.GPVirtual, sum reg.VecVirtual) {
	foldLanes(dotRows(l, []int{4, 2}, []reg.GPVirtual{x}, y, n, i)[0], sum)
}

// dotRows sums the products of every row with y in eight lanes and returns lanes k and k + 4 added.
// The rest of the last eight goes to its lanes under a mask.
func dotRows(l string, steps []int, rows []reg.GPVirtual, y, n, i reg.GPVirtual) []reg.VecVirtual {
	a, b := many(len(rows)), many(len(rows))
	for r := range rows {
		zero(a[r])
		zero(b[r])
	}
	add := func(acc []reg.VecVirtual, k int) {
		w := YMM()
		VMOVUPD(at(y, i, 4*k), w)
		for r, x := range rows {
			v := YMM()
			VMULPD(at(x, i, 4*k), w, v)
			VADDPD(v, acc[r], acc[r])
		}
	}
	overRow(l, i, n, steps, func(vectors int) {
		for k := range vectors {
			add([][]reg.VecVirtual{a, b}[k%2], k)
		}
	})
	masked := func(acc []reg.VecVirtual) {
		mask, w := tailMask(i, n), YMM()
		VMASKMOVPD(at(y, i, 0), mask, w)
		for r, x := range rows {
			v := YMM()
			VMASKMOVPD(at(x, i, 0), mask, v)
			VMULPD(w, v, v)
			VADDPD(v, acc[r], acc[r])
		}
	}
	left := GP64()
	fold, few := LabelRef(l+"fold"), LabelRef(l+"few")
	MOVQ(n, left)
	SUBQ(i, left)
	JZ(fold)
	CMPQ(left, Imm(4))
	JLT(few)
	add(a, 0)
	ADDQ(Imm(4), i)
	CMPQ(i, n)
	JEQ(fold)
	masked(b)
	JMP(fold)
	Label(string(few))
	masked(a)
	Label(string(fold))
	for r := range rows {
		VADDPD(b[r], a[r], a[r])
	}
	return a
}

// fold4 is (0 + 1) + (2 + 3) of four rows.
func fold4(x []reg.VecVirtual) reg.VecVirtual {
	VHADDPD(x[1], x[0], x[0])
	VHADDPD(x[3], x[2], x[2])
	sum := YMM()
	VPERM2F128(Imm(0x20), x[2], x[0], sum)
	VPERM2F128(Imm(0x31), x[2], x[0], x[0])
	VADDPD(x[0], sum, sum)
	return sum
}

// sum is dot without products.
func sum() {
	kernel("sumAVX2", "func(x *float64, n int) float64", "sumAVX2 is the sum of x in eight lanes.")
	x, n, i := ptr("x"), num("n"), GP64()
	a, b, total := YMM(), YMM(), XMM()
	zero(a)
	zero(b)
	overRow("sum", i, n, []int{2}, func(int) {
		VADDPD(at(x, i, 0), a, a)
		VADDPD(at(x, i, 4), b, b)
	})
	left, v := GP64(), YMM()
	MOVQ(n, left)
	SUBQ(i, left)
	JZ(LabelRef("fold"))
	CMPQ(left, Imm(4))
	JLT(LabelRef("few"))
	VADDPD(at(x, i, 0), a, a)
	ADDQ(Imm(4), i)
	CMPQ(i, n)
	JEQ(LabelRef("fold"))
	VMASKMOVPD(at(x, i, 0), tailMask(i, n), v)
	VADDPD(v, b, b)
	JMP(LabelRef("fold"))
	Label("few")
	VMASKMOVPD(at(x, i, 0), tailMask(i, n), v)
	VADDPD(v, a, a)
	Label("fold")
	VADDPD(b, a, a)
	foldLanes(a, total)
	Store(total, ReturnIndex(0))
	end()
}

// foldLanes is (0 + 1) + (2 + 3).
func foldLanes(a, sum reg.VecVirtual) {
	high := XMM()
	VEXTRACTF128(Imm(1), a, high)
	low := a.AsX()
	VHADDPD(low, low, sum)
	VHADDPD(high, high, high)
	VADDSD(high, sum, sum)
}

// tailMask selects the first n - i < 4 entries of a vector.
func tailMask(i, n reg.GPVirtual) reg.VecVirtual {
	base, back, mask := GP64(), GP64(), YMM()
	LEAQ(masks, base)
	MOVQ(i, back)
	SUBQ(n, back) // -(n - i)
	VMOVUPD(Mem{Base: base, Index: back, Scale: 8, Disp: 32}, mask)
	return mask
}

func lerp() {
	kernel("lerpAVX2", "func(f float64, x, y *float64, n int)", "lerpAVX2 adds f (x - y) to y.")
	f, x, y, n, i := spread("f"), ptr("x"), ptr("y"), num("n"), GP64()
	overRow("lerp", i, n, eachSize, func(vectors int) {
		if vectors == 0 {
			v, w := XMM(), XMM()
			VMOVSD(at(y, i, 0), w)
			VMOVSD(at(x, i, 0), v)
			VSUBSD(w, v, v)
			VMULSD(f.AsX(), v, v)
			VADDSD(v, w, w)
			VMOVSD(w, at(y, i, 0))
			return
		}
		v, w := many(vectors), many(vectors)
		for k := range v {
			VMOVUPD(at(y, i, 4*k), w[k])
			VMOVUPD(at(x, i, 4*k), v[k])
		}
		for k := range v {
			VSUBPD(w[k], v[k], v[k])
			VMULPD(f, v[k], v[k])
			VADDPD(v[k], w[k], w[k])
			VMOVUPD(w[k], at(y, i, 4*k))
		}
	})
	end()
}

func scale() {
	kernel("scaleAVX2", "func(f float64, x *float64, n int)", "scaleAVX2 multiplies x by f.")
	f, x, n, i := spread("f"), ptr("x"), num("n"), GP64()
	overRow("scale", i, n, eachSize, func(vectors int) {
		if vectors == 0 {
			v := XMM()
			VMULSD(at(x, i, 0), f.AsX(), v)
			VMOVSD(v, at(x, i, 0))
			return
		}
		for k := range vectors {
			v := YMM()
			VMULPD(at(x, i, 4*k), f, v)
			VMOVUPD(v, at(x, i, 4*k))
		}
	})
	end()
}

func add() {
	kernel("addAVX2", "func(x, y *float64, n int)", "addAVX2 adds x to y.")
	x, y, n, i := ptr("x"), ptr("y"), num("n"), GP64()
	overRow("add", i, n, eachSize, func(vectors int) {
		if vectors == 0 {
			v := XMM()
			VMOVSD(at(x, i, 0), v)
			VADDSD(at(y, i, 0), v, v)
			VMOVSD(v, at(y, i, 0))
			return
		}
		for k := range vectors {
			v := YMM()
			VMOVUPD(at(x, i, 4*k), v)
			VADDPD(at(y, i, 4*k), v, v)
			VMOVUPD(v, at(y, i, 4*k))
		}
	})
	end()
}

// scatter adds multiples of rows of one matrix to rows of another, one arc after the other.
func scatter() {
	kernel("scatterAVX2", "func(f float64, mass *float64, src, dst *int32, arcs int, x *float64, ldx int, y *float64, ldy, width int)",
		"scatterAVX2 adds f mass_e times row src_e of X to row dst_e of Y, for every arc e in turn.")
	f, mass, src, dst, arcs := real("f"), ptr("mass"), ptr("src"), ptr("dst"), num("arcs")
	x, y, width := ptr("x"), ptr("y"), num("width")
	rx, ry, i := GP64(), GP64(), GP64()
	Label("arc")
	c := YMM()
	VMULSD(Mem{Base: mass}, f, c.AsX())
	VBROADCASTSD(c.AsX(), c)
	row(src, mem("ldx"), x, rx)
	row(dst, mem("ldy"), y, ry)
	axpyRow("scatter", c, rx, ry, width, i)
	ADDQ(Imm(8), mass)
	ADDQ(Imm(4), src)
	ADDQ(Imm(4), dst)
	DECQ(arcs)
	JNZ(LabelRef("arc"))
	end()
}

// row is the address of row *at of a matrix.
func row(at reg.GPVirtual, ld Op, base, out reg.GPVirtual) {
	MOVLQSX(Mem{Base: at}, out)
	IMULQ(ld, out)
	LEAQ(Mem{Base: base, Index: out, Scale: 8}, out)
}
