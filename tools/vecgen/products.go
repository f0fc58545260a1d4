package main

import (
	"strconv"

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
		top, done := l+strconv.Itoa(v), l+"after"+strconv.Itoa(v)
		branch(left, JLT, Imm(uint64(4*v)), done)
		Label(top)
		body(top, v)
		ADDQ(U32(32*v), offset)
		SUBQ(Imm(uint64(4*v)), left)
		branch(left, JGE, Imm(uint64(4*v)), top)
		Label(done)
	}
}

// goTo moves to what a parameter points at, at a byte offset.
func goTo(name string, offset, at reg.GPVirtual) {
	MOVQ(mem(name), at)
	ADDQ(offset, at)
}

// place is a row at a byte offset.
func place(row, offset reg.GPVirtual) reg.GPVirtual {
	at := GP64()
	LEAQ(Mem{Base: row, Index: offset, Scale: 1}, at)
	return at
}

// vector is vector k from a place on.
func vector(at reg.GPVirtual, k int) Mem { return Mem{Base: at, Disp: 32 * k} }

func loadBlock(at reg.GPVirtual, vectors int) (acc []reg.VecVirtual) {
	for k := range vectors {
		acc = append(acc, load(vector(at, k)))
	}
	return acc
}

// addTimes adds f times the vectors from a place on.
func addTimes(acc []reg.VecVirtual, f reg.VecVirtual, at reg.GPVirtual) {
	for k := range acc {
		v := YMM()
		VMULPD(vector(at, k), f, v)
		VADDPD(v, acc[k], acc[k])
	}
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

func dense() {
	kernel("dense", "func(b *float64, rowStep, step, rows, inner int, x *float64, ldx int, out *float64, ld, width int)",
		"adds B X to out, four products at a time; entry (i, k) of B is at i rowStep + k step. Steps and strides are in bytes.")
	denseBlocks("dense", upTo9, inFours)
}

func denseFew() {
	kernel("denseFew", "func(b *float64, rowStep, rows, inner int, x *float64, ldx int, out *float64, ld, width int)",
		"is denseAVX2 for steps of 8 and at most 256 columns of B; fours that are zero are omitted.")
	denseBlocks("few", upTo9, inFoursNotZero)
}

func inOrder() {
	kernel("inOrder", "func(b *float64, rowStep, step, rows, inner int, x *float64, ldx int, out *float64, ld, width int)",
		"adds B X to out, one product after the other; arguments as denseAVX2's.")
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
	ldx := arg("ldx")
	var step Op = Imm(8)
	if how != inFoursNotZero {
		step = arg("step")
	}
	offset, row, out, rows, bk, xk, next, left := GP64(), GP64(), GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	k := GP64() // one for all blocks: what finds a bit is thought to read it
	blocks(name, mem("width"), offset, sizes, func(l string, vectors int) {
		MOVQ(mem("b"), row)
		goTo("out", offset, out)
		MOVQ(mem("rows"), rows)
		x, fours := GP64(), GP64()
		goTo("x", offset, x)
		Label(l + "row")
		if how == inFoursNotZero {
			foursNotZero(l, row, fours)
		}
		acc := loadBlock(out, vectors)
		// four adds the products with four entries of B, the rows of X being those from xk on.
		four := func(b func(m int) Mem) {
			c := []reg.VecVirtual{broadcast(b(0)), broadcast(b(1)), broadcast(b(2)), broadcast(b(3))}
			LEAQ(Mem{Base: xk, Index: ldx, Scale: 1}, next)
			for k := range acc {
				s, t, u := YMM(), YMM(), YMM() // (c0 x0 + c1 x1) + (c2 x2 + c3 x3)
				VMULPD(vector(xk, k), c[0], s)
				VMULPD(vector(next, k), c[1], u)
				VADDPD(u, s, s)
				VMULPD(Mem{Base: xk, Index: ldx, Scale: 2, Disp: 32 * k}, c[2], t)
				VMULPD(Mem{Base: next, Index: ldx, Scale: 2, Disp: 32 * k}, c[3], u)
				VADDPD(u, t, t)
				VADDPD(t, s, s)
				VADDPD(s, acc[k], acc[k])
			}
		}
		rowOfX := func(k reg.GPVirtual) {
			MOVQ(k, xk)
			IMULQ(ldx, xk)
			ADDQ(x, xk)
		}
		if how == inFoursNotZero {
			test(fours, JZ, l+"single")
			Label(l + "four")
			nextBit(fours, k)
			SHLQ(Imm(2), k)
			rowOfX(k)
			four(func(m int) Mem { return at(row, k, m) })
			test(fours, JNZ, l+"four")
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
		addTimes(acc, broadcast(Mem{Base: bk}), xk)
		ADDQ(step, bk)
		ADDQ(ldx, xk)
		countDown(left, l+"one")
		Label(l + "store")
		storeBlock(acc, out)
		ADDQ(mem("rowStep"), row)
		ADDQ(mem("ld"), out)
		countDown(rows, l+"row")
	})
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
// meanwhile. body adds to a row's sums what columns col[at:at+left] ask for, in bytes and in entries; rowOf(k) is the row of
// X that column k from there on names, at the block.
func csrBlocks(name string, sizes []int,
	body func(l string, acc []reg.VecVirtual, at, left reg.GPVirtual, rowOf func(k int) reg.GPVirtual)) {
	col, stride := arg("col"), arg("stride")
	offset, rowPtr, x, out, at, left := GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	blocks(name, mem("ld"), offset, sizes, func(l string, vectors int) {
		MOVQ(mem("rowPtr"), rowPtr)
		goTo("out", offset, out)
		goTo("x", offset, x)
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
		branch(rowPtr, JLT, mem("rowEnd"), l+"row")
	})
}

// equal is out += C X for a matrix whose entries are f or zero: f times rows of X by fours, by two and alone. A row of up
// to twelve vectors is one block: how many entries a row has is foretold badly, so it is asked once.
func equal() {
	kernel("equal", "func(f float64, rowPtr, rowEnd, col *int32, x, out *float64, ld, stride int)",
		"adds C X to out, the entries f of C's row i standing in columns col[rowPtr[i]:rowPtr[i+1]]; rowEnd is the last of rowPtr, stride is ld in bytes.")
	f := spread("f")
	csrBlocks("equal", upTo12, func(l string, acc []reg.VecVirtual, at, left reg.GPVirtual, rowOf func(k int) reg.GPVirtual) {
		SUBQ(Imm(4), left)
		JLT(LabelRef(l + "two"))
		Label(l + "four")
		r := []reg.GPVirtual{rowOf(0), rowOf(1), rowOf(2), rowOf(3)}
		for k := range acc {
			s := load(vector(r[0], k))
			VADDPD(vector(r[1], k), s, s)
			t := load(vector(r[2], k))
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
		branch(left, JLT, Imm(2), l+"one")
		r = []reg.GPVirtual{rowOf(0), rowOf(1)}
		for k := range acc {
			s := load(vector(r[0], k))
			VADDPD(vector(r[1], k), s, s)
			VMULPD(f, s, s)
			VADDPD(s, acc[k], acc[k])
		}
		ADDQ(Imm(2), at)
		SUBQ(Imm(2), left)
		Label(l + "one")
		test(left, JZ, l+"store")
		addTimes(acc, f, rowOf(0))
		Label(l + "store")
	})
}

func sparse() {
	kernel("sparse", "func(rowPtr, rowEnd, col *int32, val, x, out *float64, ld, stride int)",
		"adds C X to out, row i of C having val in the columns col[rowPtr[i]:rowPtr[i+1]].")
	val := arg("val")
	csrBlocks("sparse", upTo12, func(l string, acc []reg.VecVirtual, at, left reg.GPVirtual, rowOf func(k int) reg.GPVirtual) {
		test(left, JZ, l+"store")
		Label(l + "next")
		f := broadcast(Mem{Base: val, Index: at, Scale: 8})
		addTimes(acc, f, rowOf(0))
		INCQ(at)
		countDown(left, l+"next")
		Label(l + "store")
	})
}

// terms are the registers of a loop over rows, stride bytes apart, and numbers.
type terms struct{ row, at, left, stride reg.GPVirtual }

// over writes the loop for n rows from a place on and as many numbers: body gets a number in all lanes.
func (t terms) over(l string, rows, numbers, n reg.GPVirtual, body func(x reg.VecVirtual)) {
	MOVQ(rows, t.row)
	MOVQ(numbers, t.at)
	MOVQ(n, t.left)
	Label(l + "next")
	body(broadcast(Mem{Base: t.at}))
	ADDQ(t.stride, t.row)
	ADDQ(Imm(8), t.at)
	countDown(t.left, l+"next")
}

// moments goes over the rows of a symmetric matrix, whose row j is also what column j holds:
// cp_i = sum_j C_ij p_j and c2p_i = sum_j C_ij (C_ij p_j), each from the first j to the last.
func moments() {
	kernel("moments", "func(c *float64, ld, n int, p, cp, c2p *float64)",
		"adds C p to cp and (C o C) p to c2p, both of ld entries, C symmetric with n rows of stride ld.")
	c, n, p, cp, c2p := arg("c"), arg("n"), arg("p"), arg("cp"), arg("c2p")
	offset, t := GP64(), terms{GP64(), GP64(), GP64(), bytes("ld")}
	blocks("moments", mem("ld"), offset, []int{4, 2, 1}, func(l string, vectors int) {
		a, b := loadBlock(place(cp, offset), vectors), loadBlock(place(c2p, offset), vectors)
		t.over(l, place(c, offset), p, n, func(f reg.VecVirtual) {
			for k := range a {
				x, y := load(vector(t.row, k)), YMM()
				VMULPD(f, x, y)
				VADDPD(y, a[k], a[k])
				VMULPD(y, x, x)
				VADDPD(x, b[k], b[k])
			}
		})
		storeBlock(a, place(cp, offset))
		storeBlock(b, place(c2p, offset))
	})
}

// distances goes over the columns of the transposed features of one side: the squared distances from one vector to all
// of them, each summed from the first feature to the last.
func distances() {
	kernel("distances", "func(f float64, a *float64, d int, bt *float64, ld int, out *float64)",
		"sets out to f times the squared distances from a to the ld columns of the d x ld matrix bt.")
	f, a, d, bt, out := spread("f"), arg("a"), arg("d"), arg("bt"), arg("out")
	offset, t := GP64(), terms{GP64(), GP64(), GP64(), bytes("ld")}
	blocks("distances", mem("ld"), offset, []int{4, 2, 1}, func(l string, vectors int) {
		acc := manyZeros(vectors)
		t.over(l, place(bt, offset), a, d, func(x reg.VecVirtual) {
			for k := range acc {
				e := YMM()
				VSUBPD(vector(t.row, k), x, e)
				VMULPD(e, e, e)
				VADDPD(e, acc[k], acc[k])
			}
		})
		for k := range acc {
			VMULPD(acc[k], f, acc[k])
		}
		storeBlock(acc, place(out, offset))
	})
}
