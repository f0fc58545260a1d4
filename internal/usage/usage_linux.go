// Package usage asks the system for CPU time, memory and the processor.
package usage

import (
	"bufio"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
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

// ProcessCPU is the CPU time of the process in seconds, the garbage collector's included.
func ProcessCPU() float64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		panic("usage: " + err.Error()) // Linux always has this clock
	}
	return float64(t.Sec) + 1e-9*float64(t.Nsec)
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
