//go:build amd64 && !purego

package vec

import "golang.org/x/sys/cpu"

// fast chooses the kernels in assembly. GODEBUG=cpu.avx2=off turns them off.
var fast = cpu.X86.HasAVX2
