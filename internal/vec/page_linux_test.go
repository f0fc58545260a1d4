package vec

import (
	"syscall"
	"testing"
	"unsafe"

	"ogdl/internal/test/must"
)

// free are mappings by the bytes of their data, used those that the check under way has.
var free, used = map[int][][]byte{}, map[int][][]byte{}

// page returns n zeros that end where a page ends, with a page behind it that may not be touched. What a kernel reads before its slice is
// not found by this. The zeros are the caller's until reuse.
func page(t *testing.T, n int) []float64 {
	t.Helper()
	if n == 0 {
		return nil
	}
	size := syscall.Getpagesize()
	data := (8*n + size - 1) / size * size
	var mem []byte
	if k := len(free[data]); k > 0 {
		mem, free[data] = free[data][k-1], free[data][:k-1]
	} else {
		mem = must.Get(syscall.Mmap(-1, 0, data+size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE))
		must.Do(t, syscall.Mprotect(mem[data:], syscall.PROT_NONE))
	}
	used[data] = append(used[data], mem)
	x := unsafe.Slice((*float64)(unsafe.Pointer(&mem[data-8*n])), n)
	clear(x)
	return x
}

// reuse ends the use of all pages.
func reuse() {
	for data, list := range used {
		free[data], used[data] = append(free[data], list...), list[:0]
	}
}
