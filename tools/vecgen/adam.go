package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// adam is a step of that optimizer.
func adam() {
	kernel("adamAVX2", "func(x, m, v, slope *float64, n int, beta1, rest1, beta2, rest2, by1, by2, step, epsilon float64)",
		"adamAVX2 sets m to beta1 m + rest1 slope and v to beta2 v + rest2 slope^2, and where m is not zero it takes "+
			"step (by1 m) / (sqrt(by2 v) + epsilon) from x.")
	x, m, v, g, n, i := ptr("x"), ptr("m"), ptr("v"), ptr("slope"), num("n"), GP64()
	beta1, rest1, beta2, rest2 := spread("beta1"), spread("rest1"), spread("beta2"), spread("rest2")
	by1, by2, step, epsilon := spread("by1"), spread("by2"), spread("step"), spread("epsilon")
	move := func(load func(reg.GPVirtual) reg.VecVirtual, store func(reg.VecVirtual, reg.GPVirtual)) {
		slope, mean, t := load(g), load(m), YMM()
		VMULPD(beta1, mean, mean)
		VMULPD(rest1, slope, t)
		VADDPD(t, mean, mean)
		store(mean, m)
		square := load(v)
		VMULPD(beta2, square, square)
		VMULPD(slope, slope, t)
		VMULPD(rest2, t, t)
		VADDPD(t, square, square)
		store(square, v)
		VMULPD(by2, square, square)
		VSQRTPD(square, square)
		VADDPD(epsilon, square, square)
		VMULPD(by1, mean, t)
		VMULPD(step, t, t)
		VDIVPD(square, t, t)
		none, old := YMM(), load(x)
		zero(none)
		VCMPPD(Imm(0), none, mean, none)
		VSUBPD(t, old, t)
		VBLENDVPD(none, old, t, t)
		store(t, x)
	}
	overRow("adam", i, n, []int{1}, func(int) {
		move(func(r reg.GPVirtual) reg.VecVirtual {
			y := YMM()
			VMOVUPD(at(r, i, 0), y)
			return y
		}, func(y reg.VecVirtual, r reg.GPVirtual) { VMOVUPD(y, at(r, i, 0)) })
	})
	CMPQ(i, n)
	JEQ(LabelRef("done"))
	mask := tailMask(i, n)
	move(func(r reg.GPVirtual) reg.VecVirtual {
		y := YMM()
		VMASKMOVPD(at(r, i, 0), mask, y)
		return y
	}, func(y reg.VecVirtual, r reg.GPVirtual) { VMASKMOVPD(y, mask, at(r, i, 0)) })
	Label("done")
	end()
}
