package fuzztest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ogdl/internal/test/must"
)

// Seeds holds the seeds of a target, the files of testdata/fuzz/TARGET, to their names:
// what begins with "valid" must be accepted, what begins with "cut" (off in the middle) or
// "hostile" must be rejected, and there must be some of each. Others, as the engine names
// inputs that failed, are only run by the target itself. accept gets the target's arguments,
// all []byte or string.
func Seeds(t testing.TB, target string, accept func(args []string) error) {
	t.Helper()
	dir := filepath.Join("testdata", "fuzz", target)
	files := must.Get(os.ReadDir(dir))
	kinds := map[string]int{"valid": 0, "cut": 0, "hostile": 0}
	for _, f := range files {
		data := must.Get(os.ReadFile(filepath.Join(dir, f.Name())))
		args, err := arguments(string(data))
		if err != nil {
			t.Errorf("%s: %s: %v", target, f.Name(), err)
			continue
		}
		kind, _, _ := strings.Cut(f.Name(), "-")
		if _, ok := kinds[kind]; !ok {
			continue
		}
		kinds[kind]++
		if err := accept(args); (err == nil) != (kind == "valid") {
			t.Errorf("%s: %s: error %v", target, f.Name(), err)
		}
	}
	for _, kind := range []string{"valid", "cut", "hostile"} {
		if kinds[kind] == 0 {
			t.Errorf("%s has no seed %s-*", target, kind)
		}
	}
}

// arguments reads a file of a corpus.
func arguments(file string) ([]string, error) {
	head, rest, _ := strings.Cut(file, "\n")
	if head != "go test fuzz v1" {
		return nil, fmt.Errorf("begins with %q", head)
	}
	var args []string
	for line := range strings.SplitSeq(strings.TrimRight(rest, "\n"), "\n") {
		quoted, ok := strings.CutPrefix(line, "[]byte(")
		if !ok {
			quoted, ok = strings.CutPrefix(line, "string(")
		}
		arg, err := strconv.Unquote(strings.TrimSuffix(quoted, ")"))
		if !ok || err != nil {
			return nil, fmt.Errorf("%q is no []byte and no string", line)
		}
		args = append(args, arg)
	}
	return args, nil
}
