package vec

import (
	"syscall"
	"testing"
	"unsafe"

	"ogdl/internal/test/must"
)

// page returns n zeros that end where a page ends, with a page behind it that may not be touched. What a kernel reads before its slice is
// not found by this.
func page(t *testing.T, n int) []float64 {
	t.Helper()
	size := syscall.Getpagesize()
	data := (8*n + size - 1) / size * size
	mem := must.Get(syscall.Mmap(-1, 0, data+size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE))
	must.Do(t, syscall.Mprotect(mem[data:], syscall.PROT_NONE))
	t.Cleanup(func() {
		must.Do(t, syscall.Munmap(mem))
	})
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*float64)(unsafe.Pointer(&mem[data-8*n])), n)
}
