package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sweep is one sweep of Sinkhorn's algorithm: the factors of the rows of a kernel, four at a time where they all have weight and
// quotients within bounds, then the sums of its columns, as many in registers as go, so that nothing waits for a quotient, and theirs.
func sweep() {
	kernel("sweep", "func(k *float64, ld, rows int, wa, wb, a, b, next *float64, low, high float64) (err float64, ok bool)",
		"sets a_i to wa_i / <k_i, b>, next to the sum of a_i k_i and then to wb / next, where the weights are not "+
			"zero. ok says whether all quotients are in [low, high]; err sums |a_i <k_i, b> - wa_i| with the a before.")
	k, ld, w, a, b, next := arg("k"), arg("ld"), arg("wa"), arg("a"), arg("b"), arg("next")
	err, i, row, until := XMM(), GP64(), GP64(), GP64()
	zero(err)
	XORQ(row, row)

	Label("block")
	MOVQ(mem("rows"), until)
	LEAQ(Mem{Base: row, Disp: 4}, i)
	branch(i, JGT, until, "single")
	fourRows(k, ld, w, a, b, i, row, err)
	JMP(LabelRef("block"))
	Label("alone")
	LEAQ(Mem{Base: row, Disp: 4}, until)

	Label("single")
	branch(row, JGE, until, "rested")
	oneRow(k, ld, w, a, b, i, row, err)
	JMP(LabelRef("single"))
	Label("rested")
	branch(row, JLT, mem("rows"), "block")
	Store(err, Return("err"))

	offset, stride, at, weight := GP64(), GP64(), GP64(), GP64()
	MOVQ(ld, stride)
	SHLQ(Imm(3), stride)
	blocks("sums", mem("ld"), offset, upTo12, func(l string, vectors int) {
		acc := manyZeros(vectors)
		goTo("k", offset, at)
		XORQ(row, row)
		Label(l + "row")
		MOVQ(Mem{Base: w, Index: row, Scale: 8}, weight)
		SHLQ(Imm(1), weight)
		JZ(LabelRef(l + "weightless"))
		addTimes(acc, broadcast(Mem{Base: a, Index: row, Scale: 8}), at)
		Label(l + "weightless")
		ADDQ(stride, at)
		INCQ(row)
		branch(row, JLT, mem("rows"), l+"row")
		storeBlock(acc, place(next, offset))
	})
	Store(quotients("columns", mem("wb"), next, ld, i), Return("ok"))
	end()
	Label("out")
	no := GP8()
	XORB(no, no)
	Store(err, Return("err"))
	Store(no, Return("ok"))
}

// fourRows goes to "alone" where one of the four needs a row of its own.
func fourRows(k, ld, w, a, b, i, row reg.GPVirtual, err reg.VecVirtual) {
	weights, test := load(at(w, row, 0)), zeros()
	VCMPPD(Imm(0), test, weights, test)
	ifAnyLane(test, GP32(), "alone")
	rows := []reg.GPVirtual{k, GP64(), GP64(), GP64()}
	for r := 1; r < 4; r++ {
		LEAQ(Mem{Base: rows[r-1], Index: ld, Scale: 8}, rows[r])
	}
	sum := fold4(dotRows("dot", []int{2}, rows, b, ld, i))
	q, ok, below := YMM(), YMM(), YMM()
	VMOVUPD(at(w, row, 0), weights)
	VDIVPD(sum, weights, q)
	within(q, ok, below)
	allLanes(ok)
	JNE(LabelRef("alone"))
	VMULPD(at(a, row, 0), sum, sum)
	VSUBPD(weights, sum, sum)
	VANDPD(magnitude, sum, sum)
	VMOVUPD(q, at(a, row, 0))
	addLanes(sum, err)
	LEAQ(Mem{Base: rows[3], Index: ld, Scale: 8}, k)
	ADDQ(Imm(4), row)
}

// oneRow goes to "out" where the quotient is not within bounds.
func oneRow(k, ld, w, a, b, i, row reg.GPVirtual, err reg.VecVirtual) {
	t := XMM()
	zero(t)
	VUCOMISD(Mem{Base: w, Index: row, Scale: 8}, t)
	JNE(LabelRef("weighs"))
	JPS(LabelRef("weighs")) // not a number
	JMP(LabelRef("weightless"))
	Label("weighs")
	sum, x := dotRow("sum", k, b, ld, i), XMM()
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
	Label("weightless")
	LEAQ(Mem{Base: k, Index: ld, Scale: 8}, k)
	INCQ(row)
}

// within sets ok to the lanes of q that are in [low, high], which are in memory.
func within(q, ok, work reg.VecVirtual) {
	VBROADCASTSD(mem("low"), work)
	VCMPPD(Imm(0x1D), work, q, ok)
	VBROADCASTSD(mem("high"), work)
	VCMPPD(Imm(0x12), work, q, work)
	VANDPD(work, ok, ok)
}

// quotients sets x to w / x, or 0 where w is, in rows of n entries, a multiple of four. It returns whether all
// quotients are within bounds.
func quotients(l string, w Op, x, n, i reg.GPVirtual) reg.GPVirtual {
	all, from := YMM(), GP64()
	MOVQ(w, from)
	VPCMPEQQ(all, all, all)
	overRow(l, i, n, []int{1}, func(ops, int) {
		v, none, q, ok, work := load(at(from, i, 0)), zeros(), YMM(), YMM(), YMM()
		VCMPPD(Imm(0), none, v, none)
		VDIVPD(at(x, i, 0), v, q)
		within(q, ok, work)
		VORPD(none, ok, ok)
		VANDPD(ok, all, all)
		VANDNPD(q, none, q)
		VMOVUPD(q, at(x, i, 0))
	})
	yes := GP8()
	allLanes(all)
	SETEQ(yes)
	return yes
}

func quotientsAlone() {
	kernel("quotients", "func(w, x *float64, n int, low, high float64) (ok bool)",
		"sets x to w / x, or 0 where w is; ok says whether all others are in [low, high].")
	x, n, i := arg("x"), arg("n"), GP64()
	Store(quotients("divide", mem("w"), x, n, i), Return("ok"))
}

// tiltExp goes over all entries in two steps, by turns. The first computes the exponents of one
// vector after the other, into k, and lists the vectors that are not zero. The second computes
// exponentials of four listed vectors side by side. Each step has enough independent work.
func tiltExp() {
	kernel("tiltExp", "func(l, p, base *float64, times float64, f, v, k, col *float64, ld, rows int, table *float64) (done bool)",
		"adds (f_i + v) + (times p - base) to l and sets k to exp(l + (f_i + v)), col to its column sums, "+
			"in rows of ld entries. k has no meaning where an exponent is too high or no number: then it is not done.")
	const most = 32 // a multiple of four
	list, local, left, seen := AllocLocal(8*most), AllocLocal(5*32), AllocLocal(8), AllocLocal(8)
	e, j, f, count, here, some, rows := GP64(), GP64(), arg("f"), GP64(), GP64(), GP32(), arg("rows")
	XORQ(e, e)
	XORQ(count, count)
	MOVQ(count, seen)
	MOVQ(rows, left)

	Label("row")
	XORQ(j, j)
	Label("resume")
	l, p, base, k, g, until := arg("l"), arg("p"), arg("base"), arg("k"), arg("v"), bytes("ld")
	c, times, low := YMM(), spread("times"), load(constants["expLow"])
	VBROADCASTSD(Mem{Base: f}, c)
	entry := func(r reg.GPVirtual) Mem { return Mem{Base: r, Index: e, Scale: 1} }
	Label("vector")
	u, v, x := YMM(), YMM(), YMM()
	VADDPD(Mem{Base: g, Index: j, Scale: 1}, c, u)
	VMULPD(entry(p), times, v)
	VSUBPD(entry(base), v, v)
	VADDPD(v, u, v)
	VADDPD(entry(l), v, x)
	VMOVUPD(x, entry(l))
	VADDPD(u, x, x)
	MOVQ(e, list.Idx(count, 8))
	// Whether any exponential is not zero goes into all lanes, for a jump would be foretold badly.
	VCMPPD(Imm(0x15), low, x, v) // not less, or no number
	VPERM2F128(Imm(1), v, v, u)
	VORPD(u, v, v)
	VPERMILPD(Imm(5), v, u)
	VORPD(u, v, v)
	VANDPD(v, x, x)
	VMOVUPD(x, entry(k))
	VMOVMSKPD(v, some)
	NEGL(some) // carries unless zero
	ADCQ(Imm(0), count)
	ADDQ(Imm(32), e)
	ADDQ(Imm(32), j)
	branch(count, JEQ, Imm(most), "flush")
	branch(j, JLT, until, "vector")
	Label("over")
	ADDQ(Imm(8), f)
	countDown(left, "row")
	Label("last") // up to a multiple of four the last once more
	TESTQ(U32(3), count)
	JZ(LabelRef("flush"))
	MOVQ(list.Idx(count, 8).Offset(-8), here)
	MOVQ(here, list.Idx(count, 8))
	INCQ(count)
	JMP(LabelRef("last"))

	Label("flush")
	beyond, table, from, aligned := GP32(), arg("table"), arg("k"), GP64()
	LEAQ(local.Offset(31), aligned)
	ANDQ(I32(-32), aligned)
	room := Mem{Base: aligned}
	test(count, JZ, "flushed")
	Label("four")
	var four []reg.VecVirtual
	var at []Mem
	for v := range 4 {
		offset := GP64()
		MOVQ(list.Idx(count, 8).Offset(8*v-32), offset)
		at = append(at, Mem{Base: from, Index: offset, Scale: 1})
		four = append(four, load(at[v]))
	}
	result := exponentialWithin(four, table, room)
	high := zeros()
	for v := range at {
		x, in := load(at[v]), YMM()
		VCMPPD(Imm(0x1D), constants["expLow"], x, in)
		VANDPD(in, result[v], result[v])
		VCMPPD(Imm(0x16), constants["expHigh"], x, x) // not at most, or no number
		VORPD(x, high, high)
	}
	for v := range at {
		VMOVUPD(result[v], at[v])
	}
	VMOVMSKPD(high, beyond)
	ORL(beyond, seen)
	SUBQ(Imm(4), count)
	JNZ(LabelRef("four"))
	Label("flushed")
	branch(left, JEQ, Imm(0), "sums")
	branch(j, JLT, bytes("ld"), "resume")
	JMP(LabelRef("over"))

	Label("sums")
	rowsLeft, no := GP64(), GP8()
	MOVQ(seen, rowsLeft)
	TESTQ(rowsLeft, rowsLeft)
	SETEQ(no)
	Store(no, Return("done"))
	offset, stride, rowAt := GP64(), bytes("ld"), GP64()
	blocks("sums", mem("ld"), offset, upTo12, func(l string, vectors int) {
		acc := manyZeros(vectors)
		goTo("k", offset, rowAt)
		MOVQ(mem("rows"), rowsLeft)
		Label(l + "row")
		for k := range acc {
			VADDPD(vector(rowAt, k), acc[k], acc[k])
		}
		ADDQ(stride, rowAt)
		countDown(rowsLeft, l+"row")
		storeBlock(acc, place(arg("col"), offset))
	})
}

// plan computes a kernel between its factors, and its difference from the last plan.
func plan() {
	kernel("plan", "func(k *float64, ld, rows int, w, a, b, out *float64) (err, change float64)",
		"sets out to a_i k_ij b_j. err sums |row sum - w_i|, change |out - out before|.")
	k, ld, w, a, b, out := arg("k"), arg("ld"), arg("w"), arg("a"), arg("b"), arg("out")
	rows, i := arg("rows"), GP64()
	err := XMM()
	zero(err)
	change := zeros()
	Label("row")
	c, all := broadcast(Mem{Base: a}), zeros()
	overRow("plan", i, ld, []int{1}, func(ops, int) {
		v, d := YMM(), YMM()
		VMULPD(at(b, i, 0), c, v)
		VMULPD(at(k, i, 0), v, v)
		VADDPD(v, all, all)
		VSUBPD(at(out, i, 0), v, d)
		VANDPD(magnitude, d, d)
		VADDPD(d, change, change)
		VMOVUPD(v, at(out, i, 0))
	})
	sum := foldLanes(all)
	VSUBSD(Mem{Base: w}, sum, sum)
	VANDPD(magnitude, sum, sum)
	VADDSD(sum, err, err)
	LEAQ(Mem{Base: k, Index: ld, Scale: 8}, k)
	LEAQ(Mem{Base: out, Index: ld, Scale: 8}, out)
	ADDQ(Imm(8), a)
	ADDQ(Imm(8), w)
	countDown(rows, "row")
	total := foldLanes(change)
	Store(err, Return("err"))
	Store(total, Return("change"))
}
