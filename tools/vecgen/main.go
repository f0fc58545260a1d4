// Command vecgen writes the AVX2 kernels of internal/vec:
//
//	cd tools && go generate ./vecgen
//
// Every kernel does what the Go function of the same name in internal/vec/generic.go does, to the
// last bit: the same products, rounded before they are added, in the same order of sums. No product
// is fused with a sum. Kernels touch nothing outside their vectors: the rest of a row is loaded
// under a mask or entry by entry. Each ends with VZEROUPPER.
package main

//go:generate go run . -out ../../internal/vec/kernels_amd64.s -stubs ../../internal/vec/kernels_amd64.go -pkg vec

import (
	"math"
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// masks holds four words of ones and four of zeros: the vector that begins r words before the zeros selects r entries.
var masks Mem

func main() {
	ConstraintExpr("amd64,!purego")
	masks = GLOBL("masks", RODATA|NOPTR)
	for k := range 8 {
		v := uint64(0)
		if k < 4 {
			v = math.MaxUint64
		}
		DATA(8*k, U64(v))
	}
	declareConstants()
	axpy()
	inTurn()
	dot()
	dots()
	sum()
	lerp()
	scale()
	add()
	adam()
	scatter()
	dense()
	denseFew()
	inOrder()
	equal()
	sparse()
	price()
	shift()
	survey()
	relax()
	pivots("pivotsAVX2", 2)
	pivots("widePivotsAVX2", 4)
	moments()
	distances()
	sweep()
	quotientsAlone()
	plan()
	tiltExp()
	expRows()
	addMax()
	expLess()
	expSum()
	logAdd()
	transpose()
	lessMax()
	bestGain()
	Generate()
}

// kernel begins a function. Its arguments are pointers to vectors and their lengths, which the callers check.
func kernel(name, signature, doc string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(doc)
}

func end() {
	VZEROUPPER()
	RET()
}

// ptr, num and real load a parameter; spread loads a number into all lanes.
func ptr(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }
func num(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }
func real(name string) reg.VecVirtual {
	x := XMM()
	VMOVSD(mem(name), x)
	return x
}

// mem returns a parameter in memory, for values that are needed once a row, because registers are
// few.
func mem(name string) Mem {
	b, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

func spread(name string) reg.VecVirtual {
	y := YMM()
	VBROADCASTSD(mem(name), y)
	return y
}

// at is entry i (in entries) plus a constant of a vector.
func at(base reg.Register, i reg.Register, entries int) Mem {
	return Mem{Base: base, Index: i, Scale: 8, Disp: 8 * entries}
}

func zero(y reg.VecVirtual) { VXORPD(y, y, y) }

// overRow writes a loop over the entries of a row of n: sixteen at a time, then four, then one. Between calls
// the register i holds the entry. body gets the number of vectors, 0 for a single entry.
func overRow(l string, i, n reg.GPVirtual, steps []int, body func(vectors int)) {
	left := GP64()
	XORQ(i, i)
	for _, vectors := range steps {
		size := max(1, 4*vectors)
		top, done := l+suffix(vectors), l+"after"+suffix(vectors)
		LEAQ(Mem{Base: i, Disp: size}, left)
		CMPQ(left, n)
		JGT(LabelRef(done))
		Label(top)
		body(vectors)
		ADDQ(Imm(uint64(size)), i)
		LEAQ(Mem{Base: i, Disp: size}, left)
		CMPQ(left, n)
		JLE(LabelRef(top))
		Label(done)
	}
}

func suffix(vectors int) string { return strconv.Itoa(vectors) }
