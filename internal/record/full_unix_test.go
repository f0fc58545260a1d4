//go:build unix

package record

import (
	"bufio"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// TestFull lets a process run against its limit on file sizes, which fails in the middle of a
// write as a full disk does.
func TestFull(t *testing.T) {
	const env = "OGDL_RECORD_TEST_FULL"
	if dir := os.Getenv(env); dir != "" {
		signal.Ignore(syscall.SIGXFSZ)
		limit := syscall.Rlimit{Cur: 4096, Max: 4096}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			t.Skip("no limit on file sizes: ", err)
		}
		s, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		r := sampleRecord(testID)
		r.Notes = []string{"second"}
		if err := s.Put(r, sampleTiming(), make([]byte, 10_000)); err == nil {
			t.Error("npz above the limit: no error")
		} else {
			t.Log("npz:", err)
		}
		r.Notes = []string{strings.Repeat("second", 1000)}
		if err := s.Put(r, sampleTiming(), []byte("small")); err == nil {
			t.Error("record above the limit: no error")
		} else {
			t.Log("record:", err)
		}
		return
	}

	s := open(t)
	before := names(t, s)
	c := exec.Command(os.Args[0], "-test.run=^TestFull$", "-test.v")
	c.Env = append(os.Environ(), env+"="+strings.TrimSuffix(s.Dir(), "store"))
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if strings.Contains(string(out), "--- SKIP") {
		t.Skip("the child could not limit its files")
	}
	named := 0
	for lines := bufio.NewScanner(strings.NewReader(string(out))); lines.Scan(); {
		if strings.Contains(lines.Text(), s.Dir()) && strings.Contains(lines.Text(), syscall.EFBIG.Error()) {
			named++
		}
	}
	if named != 2 {
		t.Errorf("the errors do not name path and reason:\n%s", out)
	}
	if after := names(t, s); strings.Join(before, " ") != strings.Join(after, " ") {
		t.Errorf("files %q, before %q", after, before)
	}
	if r, state, err := s.Get(testID); state != Whole || r.Notes[0] != "two atoms padded" {
		t.Errorf("the record that was there: %v, %v", state, err)
	}
}
