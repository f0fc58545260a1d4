// Package guard turns panics into errors whose text is the same on every machine.
package guard

import (
	"fmt"
	"regexp"
	"runtime/debug"
	"strings"
)

// Panicked is a recovered panic.
type Panicked struct {
	value any
	Stack string
}

// Error returns "panic: " and the value of the panic.
func (p *Panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// addresses are the parts of a stack that change from run to run, folders those that
// change from machine to machine: the line above a file names its package.
var (
	addresses = regexp.MustCompile(`goroutine \d+|\+?0x[0-9a-f]+\??|\{[^{}]*\}`)
	folders   = regexp.MustCompile(`(?m)^\t.*/`)
)

func newPanicked(value any) *Panicked {
	stack := folders.ReplaceAllString(addresses.ReplaceAllString(string(debug.Stack()), ""), "\t")
	return &Panicked{value: value, Stack: strings.TrimSpace(stack)}
}

// Caught turns a panic into an error with its stack. If loading fails for many cells at once, each
// of them then has the reason.
func Caught(err *error) {
	if v := recover(); v != nil {
		*err = newPanicked(v)
	}
}

// Shown is Caught for an error that people read: its text has the stack.
func Shown(err *error) {
	if v := recover(); v != nil {
		p := newPanicked(v)
		*err = fmt.Errorf("%w\n%s", p, p.Stack)
	}
}
