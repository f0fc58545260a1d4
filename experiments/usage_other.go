//go:build !linux

package main

// threadCPU is 0: only Linux tells the CPU time of a thread.
func threadCPU() float64 { return 0 }

// peakRSS is 0: only Linux is asked.
func peakRSS() int64 { return 0 }

// processor is "": only Linux is asked.
func processor() string { return "" }
