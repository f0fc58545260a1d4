// Package usage asks the system for CPU time, memory and the processor.
package usage

import (
	"bufio"
	"os"
	"strings"
	"syscall"
)

// rusageThread asks for the calling thread only (RUSAGE_THREAD).
const rusageThread = 1

// ThreadCPU is the CPU time of the calling thread in seconds; callers lock their
// goroutine to it. It is 0 where the system does not tell.
func ThreadCPU() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(rusageThread, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// PeakRSS is the largest resident memory of the process so far, in bytes.
func PeakRSS() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return int64(u.Maxrss) * 1024 // Linux counts in KiB
}

// Processor is the model of the processor, "" where the system does not tell.
func Processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
