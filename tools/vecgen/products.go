package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// blocks writes a loop over the columns of an output row: the sums of a block of columns stay in registers
// while body goes over what is added to them. sizes are vectors a block; ld is a multiple of four. offset is the column
// in bytes.
func blocks(l string, width Op, offset reg.GPVirtual, sizes []int, body func(l string, vectors int)) {
	left := GP64()
	MOVQ(width, left)
	XORQ(offset, offset)
	for _, v := range sizes {
		top, done := l+suffix(v), l+"after"+suffix(v)
		CMPQ(left, Imm(uint64(4*v)))
		JLT(LabelRef(done))
		Label(top)
		body(top, v)
		ADDQ(Imm(uint64(32*v)), offset)
		SUBQ(Imm(uint64(4*v)), left)
		CMPQ(left, Imm(uint64(4*v)))
		JGE(LabelRef(top))
		Label(done)
	}
}

// column is vector k of a block at a byte offset of a row.
func column(row, offset reg.GPVirtual, k int) Mem {
	return Mem{Base: row, Index: offset, Scale: 1, Disp: 32 * k}
}

func loadBlock(row, offset reg.GPVirtual, vectors int) []reg.VecVirtual {
	acc := many(vectors)
	for k := range acc {
		VMOVUPD(column(row, offset, k), acc[k])
	}
	return acc
}

func storeBlock(acc []reg.VecVirtual, row, offset reg.GPVirtual) {
	for k := range acc {
		VMOVUPD(acc[k], column(row, offset, k))
	}
}

// dense is out += B X, four products of B and X at a time: acc + ((b0 x0 + b1 x1) + (b2 x2 + b3 x3)).
func dense() {
	kernel("denseAVX2", "func(b *float64, rowStep, step, rows, inner int, x *float64, ldx int, out *float64, ld, width int)",
		"denseAVX2 adds B X to out; entry (i, k) of B stands at i rowStep + k step. Steps and strides are in bytes.")
	b, step, rows, x, ldx, out := ptr("b"), num("step"), num("rows"), ptr("x"), num("ldx"), ptr("out")
	offset, bk, xk, next, left := GP64(), GP64(), GP64(), GP64(), GP64()
	Label("row")
	blocks("dense", mem("width"), offset, []int{4, 2, 1}, func(l string, vectors int) {
		acc := loadBlock(out, offset, vectors)
		MOVQ(b, bk)
		LEAQ(Mem{Base: x, Index: offset, Scale: 1}, xk)
		MOVQ(mem("inner"), left)
		SUBQ(Imm(4), left)
		JLT(LabelRef(l + "single"))
		Label(l + "four")
		c := many(4)
		for m := range c {
			VBROADCASTSD(Mem{Base: bk}, c[m])
			ADDQ(step, bk)
		}
		LEAQ(Mem{Base: xk, Index: ldx, Scale: 1}, next)
		for k := range acc {
			s := combine(c, func(m int) Op {
				return []Mem{
					{Base: xk, Disp: 32 * k}, {Base: next, Disp: 32 * k},
					{Base: xk, Index: ldx, Scale: 2, Disp: 32 * k}, {Base: next, Index: ldx, Scale: 2, Disp: 32 * k},
				}[m]
			})
			VADDPD(s, acc[k], acc[k])
		}
		LEAQ(Mem{Base: xk, Index: ldx, Scale: 4}, xk)
		SUBQ(Imm(4), left)
		JGE(LabelRef(l + "four"))
		Label(l + "single")
		ADDQ(Imm(4), left)
		JZ(LabelRef(l + "store"))
		Label(l + "one")
		f := YMM()
		VBROADCASTSD(Mem{Base: bk}, f)
		for k := range acc {
			v := YMM()
			VMULPD(Mem{Base: xk, Disp: 32 * k}, f, v)
			VADDPD(v, acc[k], acc[k])
		}
		ADDQ(step, bk)
		ADDQ(ldx, xk)
		DECQ(left)
		JNZ(LabelRef(l + "one"))
		Label(l + "store")
		storeBlock(acc, out, offset)
	})
	ADDQ(mem("rowStep"), b)
	ADDQ(mem("ld"), out)
	DECQ(rows)
	JNZ(LabelRef("row"))
	end()
}

// equal is out += C X for a matrix whose entries are f or zero: f times rows of X by fours, by two and alone.
func equal() {
	kernel("equalAVX2", "func(f float64, rowPtr, rowEnd, col *int32, x, out *float64, ld, stride int)",
		"equalAVX2 adds C X to out, the entries f of C's row i standing in columns col[rowPtr[i]:rowPtr[i+1]]; rowEnd is the last of rowPtr, stride is ld in bytes.")
	f := spread("f")
	rowPtr, col, x, out := ptr("rowPtr"), ptr("col"), ptr("x"), ptr("out")
	offset, at, left := GP64(), GP64(), GP64()
	// row k of X, of which column at[k] is the number.
	load := func(k int) reg.GPVirtual {
		r := GP64()
		MOVLQSX(Mem{Base: at, Disp: 4 * k}, r)
		IMULQ(mem("stride"), r)
		ADDQ(x, r)
		return r
	}
	Label("row")
	blocks("equal", mem("ld"), offset, []int{4, 2, 1}, func(l string, vectors int) {
		acc := loadBlock(out, offset, vectors)
		MOVLQSX(Mem{Base: rowPtr, Disp: 4}, left)
		MOVLQSX(Mem{Base: rowPtr}, at)
		SUBQ(at, left)
		LEAQ(Mem{Base: col, Index: at, Scale: 4}, at)
		SUBQ(Imm(4), left)
		JLT(LabelRef(l + "two"))
		Label(l + "four")
		r := []reg.GPVirtual{load(0), load(1), load(2), load(3)}
		for k := range acc {
			s, t := YMM(), YMM()
			VMOVUPD(column(r[0], offset, k), s)
			VADDPD(column(r[1], offset, k), s, s)
			VMOVUPD(column(r[2], offset, k), t)
			VADDPD(column(r[3], offset, k), t, t)
			VADDPD(t, s, s)
			VMULPD(f, s, s)
			VADDPD(s, acc[k], acc[k])
		}
		ADDQ(Imm(16), at)
		SUBQ(Imm(4), left)
		JGE(LabelRef(l + "four"))
		Label(l + "two")
		ADDQ(Imm(4), left)
		CMPQ(left, Imm(2))
		JLT(LabelRef(l + "one"))
		r = []reg.GPVirtual{load(0), load(1)}
		for k := range acc {
			s := YMM()
			VMOVUPD(column(r[0], offset, k), s)
			VADDPD(column(r[1], offset, k), s, s)
			VMULPD(f, s, s)
			VADDPD(s, acc[k], acc[k])
		}
		ADDQ(Imm(8), at)
		SUBQ(Imm(2), left)
		Label(l + "one")
		TESTQ(left, left)
		JZ(LabelRef(l + "store"))
		r0 := load(0)
		for k := range acc {
			s := YMM()
			VMULPD(column(r0, offset, k), f, s)
			VADDPD(s, acc[k], acc[k])
		}
		Label(l + "store")
		storeBlock(acc, out, offset)
	})
	nextRow(rowPtr, out)
	end()
}

// nextRow goes on to the next row of a sparse matrix, until the last.
func nextRow(rowPtr, out reg.GPVirtual) {
	ADDQ(Imm(4), rowPtr)
	ADDQ(mem("stride"), out)
	CMPQ(rowPtr, mem("rowEnd"))
	JLT(LabelRef("row"))
}

// sparse is out += C X for a sparse matrix with values.
func sparse() {
	kernel("sparseAVX2", "func(rowPtr, rowEnd, col *int32, val, x, out *float64, ld, stride int)",
		"sparseAVX2 adds C X to out, row i of C having val in the columns col[rowPtr[i]:rowPtr[i+1]].")
	rowPtr, col, val, x, out := ptr("rowPtr"), ptr("col"), ptr("val"), ptr("x"), ptr("out")
	offset, at, end1 := GP64(), GP64(), GP64()
	Label("row")
	MOVLQSX(Mem{Base: rowPtr, Disp: 4}, end1)
	blocks("sparse", mem("ld"), offset, []int{4, 2, 1}, func(l string, vectors int) {
		acc := loadBlock(out, offset, vectors)
		MOVLQSX(Mem{Base: rowPtr}, at)
		CMPQ(at, end1)
		JGE(LabelRef(l + "store"))
		Label(l + "next")
		f, r := YMM(), GP64()
		VBROADCASTSD(Mem{Base: val, Index: at, Scale: 8}, f)
		MOVLQSX(Mem{Base: col, Index: at, Scale: 4}, r)
		IMULQ(mem("stride"), r)
		ADDQ(x, r)
		for k := range acc {
			v := YMM()
			VMULPD(column(r, offset, k), f, v)
			VADDPD(v, acc[k], acc[k])
		}
		INCQ(at)
		CMPQ(at, end1)
		JLT(LabelRef(l + "next"))
		Label(l + "store")
		storeBlock(acc, out, offset)
	})
	nextRow(rowPtr, out)
	end()
}

// moments goes over the rows of a symmetric matrix, whose row j is also what column j holds:
// cp_i = sum_j C_ij p_j and c2p_i = sum_j C_ij (C_ij p_j), each from the first j to the last.
func moments() {
	kernel("momentsAVX2", "func(c *float64, ld, n int, p, cp, c2p *float64)",
		"momentsAVX2 adds C p to cp and (C o C) p to c2p, both of ld entries, C symmetric with n rows of stride ld.")
	c, n, p, cp, c2p := ptr("c"), num("n"), ptr("p"), ptr("cp"), ptr("c2p")
	offset, row, at, left, stride := GP64(), GP64(), GP64(), GP64(), num("ld")
	SHLQ(Imm(3), stride)
	blocks("moments", mem("ld"), offset, []int{4, 2, 1}, func(l string, vectors int) {
		a, b := loadBlock(cp, offset, vectors), loadBlock(c2p, offset, vectors)
		MOVQ(c, row)
		MOVQ(p, at)
		MOVQ(n, left)
		Label(l + "next")
		f := YMM()
		VBROADCASTSD(Mem{Base: at}, f)
		for k := range a {
			x, y := YMM(), YMM()
			VMOVUPD(column(row, offset, k), x)
			VMULPD(f, x, y)
			VADDPD(y, a[k], a[k])
			VMULPD(y, x, x)
			VADDPD(x, b[k], b[k])
		}
		ADDQ(stride, row)
		ADDQ(Imm(8), at)
		DECQ(left)
		JNZ(LabelRef(l + "next"))
		storeBlock(a, cp, offset)
		storeBlock(b, c2p, offset)
	})
	end()
}

// distances goes over the columns of the transposed features of one side: the squared distances from one vector to all
// of them, each summed from the first feature to the last.
func distances() {
	kernel("distancesAVX2", "func(f float64, a *float64, d int, bt *float64, ld int, out *float64)",
		"distancesAVX2 sets out to f times the squared distances from a to the ld columns of the d x ld matrix bt.")
	f, a, d, bt, out := spread("f"), ptr("a"), num("d"), ptr("bt"), ptr("out")
	offset, row, at, left, stride := GP64(), GP64(), GP64(), GP64(), num("ld")
	SHLQ(Imm(3), stride)
	blocks("distances", mem("ld"), offset, []int{4, 2, 1}, func(l string, vectors int) {
		acc := many(vectors)
		for _, v := range acc {
			zero(v)
		}
		MOVQ(bt, row)
		MOVQ(a, at)
		MOVQ(d, left)
		Label(l + "next")
		x := YMM()
		VBROADCASTSD(Mem{Base: at}, x)
		for k := range acc {
			e := YMM()
			VSUBPD(column(row, offset, k), x, e)
			VMULPD(e, e, e)
			VADDPD(e, acc[k], acc[k])
		}
		ADDQ(stride, row)
		ADDQ(Imm(8), at)
		DECQ(left)
		JNZ(LabelRef(l + "next"))
		for k := range acc {
			VMULPD(acc[k], f, acc[k])
			VMOVUPD(acc[k], column(out, offset, k))
		}
	})
	end()
}
