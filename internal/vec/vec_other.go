//go:build !amd64 || purego

package vec

// fast is false where there are no kernels in assembly: the functions of kernels_other.go are never called.
const fast = false
