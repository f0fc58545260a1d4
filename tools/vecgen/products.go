package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// blocks writes a loop over the columns of an output row: the sums of a block of columns stay in
// registers while body goes over the terms. sizes are vectors a block; ld is a multiple of four.
// offset is the column in bytes.
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
		ADDQ(U32(32*v), offset)
		SUBQ(Imm(uint64(4*v)), left)
		CMPQ(left, Imm(uint64(4*v)))
		JGE(LabelRef(top))
		Label(done)
	}
}

// place is a row at a byte offset.
func place(row, offset reg.GPVirtual) reg.GPVirtual {
	at := GP64()
	LEAQ(Mem{Base: row, Index: offset, Scale: 1}, at)
	return at
}

// vector is vector k from a place on.
func vector(at reg.GPVirtual, k int) Mem { return Mem{Base: at, Disp: 32 * k} }

func loadBlock(at reg.GPVirtual, vectors int) []reg.VecVirtual {
	acc := many(vectors)
	for k := range acc {
		VMOVUPD(vector(at, k), acc[k])
	}
	return acc
}

func storeBlock(acc []reg.VecVirtual, at reg.GPVirtual) {
	for k := range acc {
		VMOVUPD(acc[k], vector(at, k))
	}
}

// One block of up to twelve vectors takes a row of up to 48 columns. B is then read once, and there
// are enough independent sums. Products by fours have registers for nine vectors.
var (
	upTo12 = []int{12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}
	upTo9  = upTo12[3:]
)

// dense is out += B X, four products of B and X at a time: acc + ((b0 x0 + b1 x1) + (b2 x2 + b3 x3)).
func dense() {
	kernel("denseAVX2", "func(b *float64, rowStep, step, rows, inner int, x *float64, ldx int, out *float64, ld, width int)",
		"denseAVX2 adds B X to out, four products at a time; entry (i, k) of B is at i rowStep + k step. Steps and strides are in bytes.")
	denseBlocks("dense", upTo9, inFours)
}

// denseFew is dense without the fours of B that are zero.
func denseFew() {
	kernel("denseFewAVX2", "func(b *float64, rowStep, rows, inner int, x *float64, ldx int, out *float64, ld, width int)",
		"denseFewAVX2 is denseAVX2 for steps of 8 and at most 256 columns of B; fours that are zero are omitted.")
	denseBlocks("few", upTo9, inFoursNotZero)
}

// inOrder is out += B X, one product after the other.
func inOrder() {
	kernel("inOrderAVX2", "func(b *float64, rowStep, step, rows, inner int, x *float64, ldx int, out *float64, ld, width int)",
		"inOrderAVX2 adds B X to out, one product after the other; arguments as denseAVX2's.")
	denseBlocks("inOrder", upTo12, oneByOne)
}

// How products are added.
const (
	oneByOne = iota
	inFours
	inFoursNotZero
)

// denseBlocks goes over all rows for every block of columns, which stays in the cache meanwhile.
func denseBlocks(name string, sizes []int, how int) {
	ldx := num("ldx")
	var step Op = Imm(8)
	if how != inFoursNotZero {
		step = num("step")
	}
	offset, row, out, rows, bk, xk, next, left := GP64(), GP64(), GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	k := GP64() // one for all blocks: what finds a bit is thought to read it
	blocks(name, mem("width"), offset, sizes, func(l string, vectors int) {
		MOVQ(mem("b"), row)
		MOVQ(mem("out"), out)
		ADDQ(offset, out)
		MOVQ(mem("rows"), rows)
		x, fours := GP64(), GP64()
		MOVQ(mem("x"), x)
		ADDQ(offset, x)
		Label(l + "row")
		if how == inFoursNotZero {
			foursNotZero(l, row, fours)
		}
		acc := loadBlock(out, vectors)
		// four adds the products with four entries of B, the rows of X being those from xk on.
		four := func(b func(m int) Mem) {
			c := many(4)
			for m := range c {
				VBROADCASTSD(b(m), c[m])
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
		}
		rowOfX := func(k reg.GPVirtual) {
			MOVQ(k, xk)
			IMULQ(ldx, xk)
			ADDQ(x, xk)
		}
		if how == inFoursNotZero {
			TESTQ(fours, fours)
			JZ(LabelRef(l + "single"))
			Label(l + "four")
			nextBit(fours, k)
			SHLQ(Imm(2), k)
			rowOfX(k)
			four(func(m int) Mem { return at(row, k, m) })
			TESTQ(fours, fours)
			JNZ(LabelRef(l + "four"))
			Label(l + "single")
			MOVQ(mem("inner"), k)
			MOVQ(k, left)
			ANDQ(Imm(3), left)
			JZ(LabelRef(l + "store"))
			SUBQ(left, k)
			LEAQ(Mem{Base: row, Index: k, Scale: 8}, bk)
			rowOfX(k)
		} else {
			MOVQ(mem("inner"), left)
			MOVQ(row, bk)
			MOVQ(x, xk)
		}
		if how == inFours {
			SUBQ(Imm(4), left)
			JLT(LabelRef(l + "single"))
			Label(l + "four")
			four(func(m int) Mem {
				if m > 0 {
					ADDQ(step, bk)
				}
				return Mem{Base: bk}
			})
			ADDQ(step, bk)
			LEAQ(Mem{Base: xk, Index: ldx, Scale: 4}, xk)
			SUBQ(Imm(4), left)
			JGE(LabelRef(l + "four"))
			Label(l + "single")
			ADDQ(Imm(4), left)
			JZ(LabelRef(l + "store"))
		}
		Label(l + "one")
		f := YMM()
		VBROADCASTSD(Mem{Base: bk}, f)
		for k := range acc {
			v := YMM()
			VMULPD(vector(xk, k), f, v)
			VADDPD(v, acc[k], acc[k])
		}
		ADDQ(step, bk)
		ADDQ(ldx, xk)
		DECQ(left)
		JNZ(LabelRef(l + "one"))
		Label(l + "store")
		storeBlock(acc, out)
		ADDQ(mem("rowStep"), row)
		ADDQ(mem("ld"), out)
		DECQ(rows)
		JNZ(LabelRef(l + "row"))
	})
	end()
}

// foursNotZero sets a bit for every whole four of a row of B that has an entry other than zero.
func foursNotZero(l string, row, fours reg.GPVirtual) {
	k, none := GP64(), YMM()
	XORQ(fours, fours)
	zero(none)
	MOVQ(mem("inner"), k)
	ANDQ(I32(-4), k)
	JZ(LabelRef(l + "seen"))
	Label(l + "see") // from the last four to the first
	test, any := YMM(), GP32()
	VCMPPD(Imm(0x04), at(row, k, -4), none, test) // not equal, or not a number
	VMOVMSKPD(test, any)
	NEGL(any) // carries unless zero
	ADCQ(fours, fours)
	SUBQ(Imm(4), k)
	JNZ(LabelRef(l + "see"))
	Label(l + "seen")
}

// nextBit takes the lowest bit out of a word; k is its place.
func nextBit(word, k reg.GPVirtual) {
	less := GP64()
	BSFQ(word, k)
	LEAQ(Mem{Base: word, Disp: -1}, less)
	ANDQ(less, word)
}

// csrBlocks writes the loops of a sparse product: all rows for every block of columns, which stays in the cache
// meanwhile. body adds to a row's sums what columns col[at:at+left] ask for, in bytes and in entries; load(k) is the row of
// X that column k from there on names, at the block.
func csrBlocks(name string, sizes []int, body func(l string, acc []reg.VecVirtual, at, left reg.GPVirtual, load func(k int) reg.GPVirtual)) {
	col, stride := ptr("col"), num("stride")
	offset, rowPtr, x, out, at, left := GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	blocks(name, mem("ld"), offset, sizes, func(l string, vectors int) {
		MOVQ(mem("rowPtr"), rowPtr)
		MOVQ(mem("out"), out)
		ADDQ(offset, out)
		MOVQ(mem("x"), x)
		ADDQ(offset, x)
		Label(l + "row")
		acc := loadBlock(out, vectors)
		MOVLQSX(Mem{Base: rowPtr}, at)
		MOVLQSX(Mem{Base: rowPtr, Disp: 4}, left)
		SUBQ(at, left)
		body(l, acc, at, left, func(k int) reg.GPVirtual {
			r := GP64()
			MOVLQSX(Mem{Base: col, Index: at, Scale: 4, Disp: 4 * k}, r)
			IMULQ(stride, r)
			ADDQ(x, r)
			return r
		})
		storeBlock(acc, out)
		ADDQ(Imm(4), rowPtr)
		ADDQ(stride, out)
		CMPQ(rowPtr, mem("rowEnd"))
		JLT(LabelRef(l + "row"))
	})
	end()
}

// equal is out += C X for a matrix whose entries are f or zero: f times rows of X by fours, by two and alone. A row of up
// to twelve vectors is one block: how many entries a row has is foretold badly, so it is asked once.
func equal() {
	kernel("equalAVX2", "func(f float64, rowPtr, rowEnd, col *int32, x, out *float64, ld, stride int)",
		"equalAVX2 adds C X to out, the entries f of C's row i standing in columns col[rowPtr[i]:rowPtr[i+1]]; rowEnd is the last of rowPtr, stride is ld in bytes.")
	f := spread("f")
	csrBlocks("equal", upTo12, func(l string, acc []reg.VecVirtual, at, left reg.GPVirtual, load func(k int) reg.GPVirtual) {
		SUBQ(Imm(4), left)
		JLT(LabelRef(l + "two"))
		Label(l + "four")
		r := []reg.GPVirtual{load(0), load(1), load(2), load(3)}
		for k := range acc {
			s, t := YMM(), YMM()
			VMOVUPD(vector(r[0], k), s)
			VADDPD(vector(r[1], k), s, s)
			VMOVUPD(vector(r[2], k), t)
			VADDPD(vector(r[3], k), t, t)
			VADDPD(t, s, s)
			VMULPD(f, s, s)
			VADDPD(s, acc[k], acc[k])
		}
		ADDQ(Imm(4), at)
		SUBQ(Imm(4), left)
		JGE(LabelRef(l + "four"))
		Label(l + "two")
		ADDQ(Imm(4), left)
		CMPQ(left, Imm(2))
		JLT(LabelRef(l + "one"))
		r = []reg.GPVirtual{load(0), load(1)}
		for k := range acc {
			s := YMM()
			VMOVUPD(vector(r[0], k), s)
			VADDPD(vector(r[1], k), s, s)
			VMULPD(f, s, s)
			VADDPD(s, acc[k], acc[k])
		}
		ADDQ(Imm(2), at)
		SUBQ(Imm(2), left)
		Label(l + "one")
		TESTQ(left, left)
		JZ(LabelRef(l + "store"))
		r0 := load(0)
		for k := range acc {
			s := YMM()
			VMULPD(vector(r0, k), f, s)
			VADDPD(s, acc[k], acc[k])
		}
		Label(l + "store")
	})
}

// sparse is out += C X for a sparse matrix with values.
func sparse() {
	kernel("sparseAVX2", "func(rowPtr, rowEnd, col *int32, val, x, out *float64, ld, stride int)",
		"sparseAVX2 adds C X to out, row i of C having val in the columns col[rowPtr[i]:rowPtr[i+1]].")
	val := ptr("val")
	csrBlocks("sparse", upTo12, func(l string, acc []reg.VecVirtual, at, left reg.GPVirtual, load func(k int) reg.GPVirtual) {
		TESTQ(left, left)
		JZ(LabelRef(l + "store"))
		Label(l + "next")
		f := YMM()
		VBROADCASTSD(Mem{Base: val, Index: at, Scale: 8}, f)
		r := load(0)
		for k := range acc {
			v := YMM()
			VMULPD(vector(r, k), f, v)
			VADDPD(v, acc[k], acc[k])
		}
		INCQ(at)
		DECQ(left)
		JNZ(LabelRef(l + "next"))
		Label(l + "store")
	})
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
		a, b := loadBlock(place(cp, offset), vectors), loadBlock(place(c2p, offset), vectors)
		MOVQ(place(c, offset), row)
		MOVQ(p, at)
		MOVQ(n, left)
		Label(l + "next")
		f := YMM()
		VBROADCASTSD(Mem{Base: at}, f)
		for k := range a {
			x, y := YMM(), YMM()
			VMOVUPD(vector(row, k), x)
			VMULPD(f, x, y)
			VADDPD(y, a[k], a[k])
			VMULPD(y, x, x)
			VADDPD(x, b[k], b[k])
		}
		ADDQ(stride, row)
		ADDQ(Imm(8), at)
		DECQ(left)
		JNZ(LabelRef(l + "next"))
		storeBlock(a, place(cp, offset))
		storeBlock(b, place(c2p, offset))
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
		MOVQ(place(bt, offset), row)
		MOVQ(a, at)
		MOVQ(d, left)
		Label(l + "next")
		x := YMM()
		VBROADCASTSD(Mem{Base: at}, x)
		for k := range acc {
			e := YMM()
			VSUBPD(vector(row, k), x, e)
			VMULPD(e, e, e)
			VADDPD(e, acc[k], acc[k])
		}
		ADDQ(stride, row)
		ADDQ(Imm(8), at)
		DECQ(left)
		JNZ(LabelRef(l + "next"))
		for k := range acc {
			VMULPD(acc[k], f, acc[k])
		}
		storeBlock(acc, place(out, offset))
	})
	end()
}
