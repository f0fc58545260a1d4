package main

import "syscall"

// rusageThread asks for the calling thread only (RUSAGE_THREAD).
const rusageThread = 1

// threadCPU is the CPU time of the calling thread in seconds; callers lock their
// goroutine to it. It is 0 where the system does not tell.
func threadCPU() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(rusageThread, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// peakRSS is the largest resident memory of the process so far, in bytes.
func peakRSS() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return int64(u.Maxrss) * 1024 // Linux counts in KiB
}
