//go:build !linux

package usage

// ThreadCPU is 0: only Linux tells the CPU time of a thread.
func ThreadCPU() float64 { return 0 }

// ProcessCPU is 0: only Linux is asked.
func ProcessCPU() float64 { return 0 }

// PeakRSS is 0: only Linux is asked.
func PeakRSS() int64 { return 0 }

// Processor is "": only Linux is asked.
func Processor() string { return "" }
