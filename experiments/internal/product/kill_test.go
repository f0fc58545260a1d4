//go:build unix

package product

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ogdl/internal/record"
)

// TestProductAfterKill: kill -9 loses no block that was done, leaves nothing that
// cannot be used, and the next run computes the rest.
func TestProductAfterKill(t *testing.T) {
	t.Parallel()
	const env = "OGDL_TEST_PRODUCT_DIR"
	where := record.Provenance{Revision: "abc"}
	if dir := os.Getenv(env); dir != "" {
		store, err := record.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		q := &squares{before: func(context.Context, int) error { time.Sleep(20 * time.Millisecond); return nil }}
		_, _ = start(t, &Cache{Store: store, Where: where}, q).get(context.Background())
		return
	}
	dir := t.TempDir()
	store, err := record.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	blocks := func() int {
		m, err := filepath.Glob(filepath.Join(store.Dir(), "products", "*", "*", "*.npz"))
		if err != nil {
			t.Fatal(err)
		}
		return len(m)
	}
	for blocks() < 9 { // killed and started again
		before := blocks()
		child := exec.Command(os.Args[0], "-test.run=^TestProductAfterKill$")
		child.Env = append(os.Environ(), env+"="+dir)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(20 * time.Second); blocks() < before+3 && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = child.Wait() // killed
		if blocks() < before+3 {
			t.Fatal("a child stored nothing")
		}
	}
	kept := blocks()
	if _, err := store.Sweep(); err != nil {
		t.Fatal(err)
	}
	var reported []string
	q := &squares{}
	b := &Cache{Store: store, Where: where, Logf: func(format string, args ...any) { reported = append(reported, fmt.Sprintf(format, args...)) }}
	if got, err := start(t, b, q).get(context.Background()); got != sumOfSquares || err != nil {
		t.Fatal(got, err)
	}
	if len(reported) > 0 || b.Read != kept || int(q.total()) != 12-kept || blocks() != 12 {
		t.Errorf("%d blocks were kept, %d read, %d computed; reported %q", kept, b.Read, q.total(), reported)
	}
	err = filepath.WalkDir(store.Dir(), func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), ".tmp.") {
			t.Errorf("%s is left", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
