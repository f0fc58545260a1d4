//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"syscall"
	"testing"

	"ogdl/experiments/internal/protocol"
	"ogdl/internal/test/must"
)

const (
	// asProgram makes the test binary behave as the program itself.
	asProgram = "OGDL_TEST_AS_PROGRAM"
	// fileLimit is the size in bytes that its files may not exceed.
	fileLimit = "OGDL_TEST_FILE_LIMIT"
)

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) == "" {
		debug.SetGCPercent(400) // collecting took a tenth of the time
		os.Exit(m.Run())
	}
	if limit, err := strconv.ParseUint(os.Getenv(fileLimit), 10, 63); err == nil {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			panic(err)
		}
	}
	os.Exit(program{methods: protocol.Methods(), blocks: scBlocks}.run(untilSignal(), os.Args[1:], os.Stdout, os.Stderr))
}

// child is the program running as a process of its own.
type child struct {
	s    *session
	cmd  *exec.Cmd
	out  bytes.Buffer
	done chan struct{} // closed when it has ended
}

// start starts the program on the session's configuration, its matrices in scBlocks blocks.
func (s *session) start(args ...string) *child { return s.startWith("", args...) }

// startWith is start with a variable of the environment.
func (s *session) startWith(env string, args ...string) *child {
	s.t.Helper()
	return s.startVerb(env, s.with(args)...)
}

// startVerb starts the program with these arguments.
func (s *session) startVerb(env string, args ...string) *child {
	s.t.Helper()
	exe := must.Get(os.Executable())
	c := &child{s: s, cmd: exec.Command(exe, args...), done: make(chan struct{})}
	c.cmd.Env = append(os.Environ(), asProgram+"=1", env)
	c.cmd.Stdout, c.cmd.Stderr = &c.out, &c.out
	must.Do(s.t, c.cmd.Start())
	go func() {
		_ = c.cmd.Wait() // its code is what counts
		close(c.done)
	}()
	return c
}

// wait returns the exit code; -1 if a signal ended it.
func (c *child) wait() int {
	<-c.done
	return c.cmd.ProcessState.ExitCode()
}

// ended reports whether the process has ended.
func (c *child) ended() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// output is what it wrote, once it has ended.
func (c *child) output() string { return c.out.String() }
