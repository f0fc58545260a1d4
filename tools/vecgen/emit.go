package main

import (
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// arg and real load a parameter, a pointer or integer and a number; spread loads a number into all lanes.
func arg(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }
func real(name string) reg.VecVirtual {
	x := XMM()
	VMOVSD(mem(name), x)
	return x
}
func spread(name string) reg.VecVirtual { return broadcast(mem(name)) }

// mem returns a parameter in memory, for values that are needed once a row, because registers are
// few.
func mem(name string) Mem {
	b, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// bytes loads a number of entries as a number of bytes.
func bytes(name string) reg.GPVirtual {
	n := arg(name)
	SHLQ(Imm(3), n)
	return n
}

// at is entry i (in entries) plus a constant of a vector.
func at(base reg.Register, i reg.Register, entries int) Mem {
	return Mem{Base: base, Index: i, Scale: 8, Disp: 8 * entries}
}

// load, broadcast and zeros return a new register with a vector, with a number in all lanes, and with zeros.
func load(m Op) reg.VecVirtual {
	y := YMM()
	VMOVUPD(m, y)
	return y
}

func broadcast(x Op) reg.VecVirtual {
	y := YMM()
	VBROADCASTSD(x, y)
	return y
}

func zeros() reg.VecVirtual {
	y := YMM()
	zero(y)
	return y
}

func zero(y reg.VecVirtual) { VXORPD(y, y, y) }

func many(n int) []reg.VecVirtual { return packed.many(n) }

func manyZeros(n int) (v []reg.VecVirtual) {
	for range n {
		v = append(v, zeros())
	}
	return v
}

// branch compares a with b and jumps as the jump says: branch(i, JLT, n, "row") goes to "row" if i < n.
func branch(a Op, jump func(Op), b Op, to string) {
	CMPQ(a, b)
	jump(LabelRef(to))
}

// test jumps as the jump says of a word that is compared with zero, JZ or JNZ.
func test(word Op, jump func(Op), to string) {
	TESTQ(word, word)
	jump(LabelRef(to))
}

// countDown goes on to a label until the counter is zero.
func countDown(counter Op, to string) {
	DECQ(counter)
	JNZ(LabelRef(to))
}

// ifAnyLane jumps if a comparison holds in a lane; flag gets a bit for every lane where it does.
func ifAnyLane(comparison reg.VecVirtual, flag reg.Register, to string) {
	VMOVMSKPD(comparison, flag)
	TESTL(flag, flag)
	JNZ(LabelRef(to))
}

// allLanes compares the bits of all four lanes with those where a comparison holds.
func allLanes(comparison reg.VecVirtual) {
	flag := GP32()
	VMOVMSKPD(comparison, flag)
	CMPL(flag, Imm(15))
}

// ops are the instructions for the vectors of a row, or for a single entry.
type ops struct {
	register                     func() reg.VecVirtual
	of                           func(reg.VecVirtual) Op
	mov, add, sub, mul, min, max func(...Op)
}

var (
	packed = ops{YMM, func(v reg.VecVirtual) Op { return v }, VMOVUPD, VADDPD, VSUBPD, VMULPD, VMINPD, VMAXPD}
	scalar = ops{XMM, func(v reg.VecVirtual) Op { return v.AsX() }, VMOVSD, VADDSD, VSUBSD, VMULSD, VMINSD, VMAXSD}
)

func (o ops) many(n int) []reg.VecVirtual {
	v := make([]reg.VecVirtual, n)
	for k := range v {
		v[k] = o.register()
	}
	return v
}

// overRow writes a loop over the entries of a row of n: as many vectors at a time as the steps say, 0 for a single entry.
// Between calls the register i holds the entry.
func overRow(l string, i, n reg.GPVirtual, steps []int, body func(o ops, vectors int)) {
	left := GP64()
	XORQ(i, i)
	for _, vectors := range steps {
		size := max(1, 4*vectors)
		top, done := l+strconv.Itoa(vectors), l+"after"+strconv.Itoa(vectors)
		LEAQ(Mem{Base: i, Disp: size}, left)
		branch(left, JGT, n, done)
		Label(top)
		if vectors == 0 {
			body(scalar, 1)
		} else {
			body(packed, vectors)
		}
		ADDQ(Imm(uint64(size)), i)
		LEAQ(Mem{Base: i, Disp: size}, left)
		branch(left, JLE, n, top)
		Label(done)
	}
}

// eachVector is overRow with a body for each of its vectors, which begins 4*k entries after i.
func eachVector(l string, i, n reg.GPVirtual, steps []int, body func(o ops, k int)) {
	overRow(l, i, n, steps, func(o ops, vectors int) {
		for k := range vectors {
			body(o, k)
		}
	})
}

// overVectors goes over the vectors of a row one by one, the last under a mask if it is not whole: otherwise it jumps to a
// label, which the caller sets.
func overVectors(l string, i, n reg.GPVirtual, whole string, body func(s span)) {
	overRow(l, i, n, []int{1}, func(ops, int) { body(span{i: i, label: l}) })
	branch(i, JEQ, n, whole)
	body(span{i: i, label: "tail", mask: tailMask(i, n)})
}

// A span is a vector of a row, so many entries after entry i, or the entries of it that a mask selects.
type span struct {
	i       reg.GPVirtual
	entries int
	mask    reg.VecVirtual // nil for a whole vector
	label   string         // a prefix of labels
}

func (s span) at(row reg.GPVirtual) Mem { return at(row, s.i, s.entries) }

// move copies the entries of a vector, which one of the two holds in memory.
func (s span) move(from, to Op) {
	if s.mask == nil {
		VMOVUPD(from, to)
	} else {
		VMASKMOVPD(from, s.mask, to)
	}
}

func (s span) load(row reg.GPVirtual) reg.VecVirtual {
	v := YMM()
	s.move(s.at(row), v)
	return v
}

func (s span) store(v reg.VecVirtual, row reg.GPVirtual) { s.move(v, s.at(row)) }

// operand is a vector in memory, or in a register of its own if it is not whole.
func (s span) operand(row reg.GPVirtual, own reg.VecVirtual) Op {
	if s.mask == nil {
		return s.at(row)
	}
	s.move(s.at(row), own)
	return own
}

// tailMask selects the first n - i < 4 entries of a vector.
func tailMask(i, n reg.GPVirtual) reg.VecVirtual {
	base, back := GP64(), GP64()
	LEAQ(masks, base)
	MOVQ(i, back)
	SUBQ(n, back) // -(n - i)
	return load(Mem{Base: base, Index: back, Scale: 8, Disp: 32})
}

// leastLane and largestLane are the least and the largest of four lanes.
func leastLane(x reg.VecVirtual) reg.VecVirtual   { return lanes(x, VMINPD, VMINSD) }
func largestLane(x reg.VecVirtual) reg.VecVirtual { return lanes(x, VMAXPD, VMAXSD) }

func lanes(x reg.VecVirtual, two, one func(...Op)) reg.VecVirtual {
	half, other := XMM(), XMM()
	VEXTRACTF128(Imm(1), x, half)
	two(half, x.AsX(), half)
	VSHUFPD(Imm(1), half, half, other)
	one(other, half, half)
	return half
}

// addLanes adds the four lanes to a sum, one after the other.
func addLanes(x, sum reg.VecVirtual) {
	lane := XMM()
	VADDSD(x.AsX(), sum, sum)
	VUNPCKHPD(x.AsX(), x.AsX(), lane)
	VADDSD(lane, sum, sum)
	VEXTRACTF128(Imm(1), x, lane)
	VADDSD(lane, sum, sum)
	VUNPCKHPD(lane, lane, lane)
	VADDSD(lane, sum, sum)
}

// foldLanes is (0 + 1) + (2 + 3).
func foldLanes(a reg.VecVirtual) reg.VecVirtual {
	sum, high := XMM(), XMM()
	VEXTRACTF128(Imm(1), a, high)
	VHADDPD(a.AsX(), a.AsX(), sum)
	VHADDPD(high, high, high)
	VADDSD(high, sum, sum)
	return sum
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
