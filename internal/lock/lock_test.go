package lock

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/internal/test/must"
)

// TestTake: one holder, or several that share; the first alone, nothing left written.
func TestTake(t *testing.T) {
	dir := t.TempDir()
	alone := 0
	take := func(share, want bool) *Lock {
		t.Helper()
		l, err := Take(dir, share, func() { alone++ })
		var held *HeldError
		if (err == nil) != want || err != nil && (!errors.As(err, &held) ||
			!strings.HasPrefix(err.Error(), fmt.Sprintf("%s: in use by process %d on ", dir, os.Getpid()))) {
			t.Fatalf("share %v: %v", share, err)
		}
		return l
	}
	for range 2 {
		one := take(false, true)
		take(false, false)
		take(true, false)
		one.Release()
		first, second := take(true, true), take(true, true)
		take(false, false)
		first.Release()
		take(false, false)
		second.Release()
		if text, err := os.ReadFile(filepath.Join(dir, Name)); err != nil || len(text) > 0 {
			t.Errorf("left %q, %v", text, err)
		}
	}
	must.Check(t, alone, 4, "times alone")
	// What a killed process has written holds nobody.
	must.Do(t, os.WriteFile(filepath.Join(dir, Name), []byte("process 1 on nowhere, and more, with -shard"), 0o666))
	take(false, true).Release()
	if _, err := Take(filepath.Join(dir, "none"), false, func() {}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestTakeOfALink: a link is no lock, and what it points to stays.
func TestTakeOfALink(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "own")
	must.Do(t, os.WriteFile(own, []byte("notes"), 0o666))
	if err := os.Symlink(own, filepath.Join(dir, Name)); err != nil {
		t.Skipf("links cannot be made here: %v", err)
	}
	must.Fail(t, must.Err(Take(dir, false, func() {})), "expected a regular file")
	must.Check(t, string(must.Get(os.ReadFile(own))), "notes", "the file")
}
