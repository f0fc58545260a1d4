package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var eachSize = []int{4, 1, 0}

func axpy() {
	kernel("axpy", "func(f float64, x, y *float64, n int)", "adds f x to y.")
	f, x, y, n, i := spread("f"), arg("x"), arg("y"), arg("n"), GP64()
	axpyRow("axpy", f, x, y, n, i)
}

// axpyRow adds f x to y, both of n entries.
func axpyRow(l string, f reg.VecVirtual, x, y, n, i reg.GPVirtual) {
	overRow(l, i, n, eachSize, func(o ops, vectors int) {
		v := o.many(vectors)
		for k := range v {
			o.mul(at(x, i, 4*k), o.of(f), v[k])
		}
		for k := range v {
			o.add(at(y, i, 4*k), v[k], v[k])
		}
		for k := range v {
			o.mov(v[k], at(y, i, 4*k))
		}
	})
}

// inTurn is four times axpy, with y read and written once.
func inTurn() {
	kernel("inTurn", "func(c0, c1, c2, c3 float64, x0, x1, x2, x3, y *float64, n int)",
		"adds c0 x0, c1 x1, c2 x2 and c3 x3 to y, one after the other.")
	c := []reg.VecVirtual{spread("c0"), spread("c1"), spread("c2"), spread("c3")}
	x := []reg.GPVirtual{arg("x0"), arg("x1"), arg("x2"), arg("x3")}
	y, n, i := arg("y"), arg("n"), GP64()
	eachVector("inTurn", i, n, []int{2, 1, 0}, func(o ops, k int) {
		s := o.register()
		o.mov(at(y, i, 4*k), s)
		for m := range c {
			v := o.register()
			o.mul(at(x[m], i, 4*k), o.of(c[m]), v)
			o.add(v, s, s)
		}
		o.mov(s, at(y, i, 4*k))
	})
}

func dot() {
	kernel("dot", "func(x, y *float64, n int) float64", "is the sum of x_i y_i in eight lanes.")
	x, y, n, i := arg("x"), arg("y"), arg("n"), GP64()
	Store(dotRow("dot", x, y, n, i), ReturnIndex(0))
}

// dots is dot of four rows with one, whose sums do not wait for one another.
func dots() {
	kernel("dots", "func(x0, x1, x2, x3, y *float64, n int, out *float64)", "sets out to the four dots of x0 to x3 with y.")
	rows := []reg.GPVirtual{arg("x0"), arg("x1"), arg("x2"), arg("x3")}
	VMOVUPD(fold4(dotRows("dots", []int{2}, rows, arg("y"), arg("n"), GP64())), Mem{Base: arg("out")})
}

// dotRow sums in eight lanes, folded as Dot says.
func dotRow(l string, x, y, n, i reg.GPVirtual) reg.VecVirtual {
	return foldLanes(dotRows(l, []int{4, 2}, []reg.GPVirtual{x}, y, n, i)[0])
}

// dotRows sums the products of every row with y in eight lanes and returns lanes k and k + 4 added.
func dotRows(l string, steps []int, rows []reg.GPVirtual, y, n, i reg.GPVirtual) []reg.VecVirtual {
	return eightLanes(l, l, steps, len(rows), n, i, func(sums []reg.VecVirtual, s span) {
		w := s.load(y)
		for r, x := range rows {
			v := YMM()
			if s.mask == nil {
				VMULPD(s.at(x), w, v)
			} else {
				s.move(s.at(x), v)
				VMULPD(w, v, v)
			}
			VADDPD(v, sums[r], sums[r])
		}
	})
}

// eightLanes sums rows in eight lanes, the rest of the last eight under a mask, and returns lanes k and k + 4 added. add
// adds a span of each row to its sum; row and rest are prefixes of labels.
func eightLanes(row, rest string, steps []int, rows int, n, i reg.GPVirtual,
	add func(sums []reg.VecVirtual, s span)) []reg.VecVirtual {
	a, b := many(rows), many(rows)
	for r := range a {
		zero(a[r])
		zero(b[r])
	}
	eachVector(row, i, n, steps, func(_ ops, k int) {
		add([][]reg.VecVirtual{a, b}[k%2], span{i: i, entries: 4 * k})
	})
	left, fold := GP64(), rest+"fold"
	MOVQ(n, left)
	SUBQ(i, left)
	JZ(LabelRef(fold))
	branch(left, JLT, Imm(4), rest+"few")
	add(a, span{i: i})
	ADDQ(Imm(4), i)
	branch(i, JEQ, n, fold)
	add(b, span{i: i, mask: tailMask(i, n)})
	JMP(LabelRef(fold))
	Label(rest + "few")
	add(a, span{i: i, mask: tailMask(i, n)})
	Label(fold)
	for r := range a {
		VADDPD(b[r], a[r], a[r])
	}
	return a
}

// sum is dot without products.
func sum() {
	kernel("sum", "func(x *float64, n int) float64", "is the sum of x in eight lanes.")
	x, n, i := arg("x"), arg("n"), GP64()
	total := eightLanes("sum", "", []int{2}, 1, n, i, func(sums []reg.VecVirtual, s span) {
		VADDPD(s.operand(x, YMM()), sums[0], sums[0])
	})
	Store(foldLanes(total[0]), ReturnIndex(0))
}

func lerp() {
	kernel("lerp", "func(f float64, x, y *float64, n int)", "adds f (x - y) to y.")
	f, x, y, n, i := spread("f"), arg("x"), arg("y"), arg("n"), GP64()
	overRow("lerp", i, n, eachSize, func(o ops, vectors int) {
		v, w := o.many(vectors), o.many(vectors)
		for k := range v {
			o.mov(at(y, i, 4*k), w[k])
			o.mov(at(x, i, 4*k), v[k])
		}
		for k := range v {
			o.sub(w[k], v[k], v[k])
			o.mul(o.of(f), v[k], v[k])
			o.add(v[k], w[k], w[k])
			o.mov(w[k], at(y, i, 4*k))
		}
	})
}

func scale() {
	kernel("scale", "func(f float64, x *float64, n int)", "multiplies x by f.")
	f, x, n, i := spread("f"), arg("x"), arg("n"), GP64()
	eachVector("scale", i, n, eachSize, func(o ops, k int) {
		v := o.register()
		o.mul(at(x, i, 4*k), o.of(f), v)
		o.mov(v, at(x, i, 4*k))
	})
}

func add() {
	kernel("add", "func(x, y *float64, n int)", "adds x to y.")
	x, y, n, i := arg("x"), arg("y"), arg("n"), GP64()
	eachVector("add", i, n, eachSize, func(o ops, k int) {
		v := o.register()
		o.mov(at(x, i, 4*k), v)
		o.add(at(y, i, 4*k), v, v)
		o.mov(v, at(y, i, 4*k))
	})
}

func adam() {
	kernel("adam", "func(x, m, v, slope *float64, n int, beta1, rest1, beta2, rest2, by1, by2, step, epsilon float64)",
		"sets m to beta1 m + rest1 slope and v to beta2 v + rest2 slope^2, and where m is not zero it takes "+
			"step (by1 m) / (sqrt(by2 v) + epsilon) from x.")
	x, m, v, g, n, i := arg("x"), arg("m"), arg("v"), arg("slope"), arg("n"), GP64()
	beta1, rest1, beta2, rest2 := spread("beta1"), spread("rest1"), spread("beta2"), spread("rest2")
	by1, by2, step, epsilon := spread("by1"), spread("by2"), spread("step"), spread("epsilon")
	overVectors("adam", i, n, "done", func(s span) {
		slope, mean, t := s.load(g), s.load(m), YMM()
		VMULPD(beta1, mean, mean)
		VMULPD(rest1, slope, t)
		VADDPD(t, mean, mean)
		s.store(mean, m)
		square := s.load(v)
		VMULPD(beta2, square, square)
		VMULPD(slope, slope, t)
		VMULPD(rest2, t, t)
		VADDPD(t, square, square)
		s.store(square, v)
		VMULPD(by2, square, square)
		VSQRTPD(square, square)
		VADDPD(epsilon, square, square)
		VMULPD(by1, mean, t)
		VMULPD(step, t, t)
		VDIVPD(square, t, t)
		none, old := YMM(), s.load(x)
		zero(none)
		VCMPPD(Imm(0), none, mean, none)
		VSUBPD(t, old, t)
		VBLENDVPD(none, old, t, t)
		s.store(t, x)
	})
	Label("done")
}

// scatter adds multiples of rows of one matrix to rows of another, one arc after the other.
func scatter() {
	kernel("scatter", "func(f float64, mass *float64, src, dst *int32, arcs int, x *float64, ldx int, y *float64, ldy, width int)",
		"adds f mass_e times row src_e of X to row dst_e of Y, for every arc e in turn.")
	f, mass, src, dst, arcs := real("f"), arg("mass"), arg("src"), arg("dst"), arg("arcs")
	x, y, width := arg("x"), arg("y"), arg("width")
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
	countDown(arcs, "arc")
}

// row is the address of row *at of a matrix.
func row(at reg.GPVirtual, ld Op, base, out reg.GPVirtual) {
	MOVLQSX(Mem{Base: at}, out)
	IMULQ(ld, out)
	LEAQ(Mem{Base: base, Index: out, Scale: 8}, out)
}
