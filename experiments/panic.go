package main

import (
	"fmt"
	"regexp"
	"runtime/debug"
	"strings"
)

// panicked is a recovered panic.
type panicked struct {
	value any
	stack string
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// addresses are the parts of a stack that change from run to run, folders those that
// change from machine to machine: the line above a file names its package.
var (
	addresses = regexp.MustCompile(`goroutine \d+|\+?0x[0-9a-f]+\??|\{[^{}]*\}`)
	folders   = regexp.MustCompile(`(?m)^\t.*/`)
)

func newPanicked(value any) *panicked {
	stack := folders.ReplaceAllString(addresses.ReplaceAllString(string(debug.Stack()), ""), "\t")
	return &panicked{value: value, stack: strings.TrimSpace(stack)}
}

// caught turns a panic into an error with its stack: what is loaded once for many
// cells must not leave the others without a reason.
func caught(err *error) {
	if v := recover(); v != nil {
		*err = newPanicked(v)
	}
}
