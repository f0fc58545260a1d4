package record

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"ogdl/internal/disk"
)

// The test binary runs itself as a child that puts records until it is killed.
const childDir = "OGDL_RECORD_TEST_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		fmt.Fprintln(os.Stderr, putForever(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

const childCells = 12

func putForever(dir string) error {
	s, err := Open(dir)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(uint64(os.Getpid()), 0))
	for k := 0; ; k++ {
		npz := make([]byte, rng.IntN(1<<16))
		for i := range npz {
			npz[i] = byte(rng.Uint32())
		}
		sum := sha256.Sum256(npz)
		r := sampleRecord(fmt.Sprintf("%08x", rng.IntN(childCells)*0x01000000))
		r.Notes = []string{hex.EncodeToString(sum[:])}
		if err := s.Put(r, sampleTiming(), npz); err != nil {
			return err
		}
		if k == 0 {
			fmt.Println("ready")
		}
	}
}

// TestKill kills, again and again, two processes that replace each other's records, and finds
// every record whole and with the npz it was put with.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("starts 40 processes")
	}
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := strings.TrimSuffix(s.Dir(), "store")
	rng := rand.New(rand.NewPCG(1, 2))
	leftovers, swept := 0, 0
	for range 20 {
		var children []*exec.Cmd
		for range 2 {
			c := exec.Command(os.Args[0], "-test.run=^$")
			c.Env = append(os.Environ(), childDir+"="+dir)
			c.Stderr = os.Stderr
			out, err := c.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(out, make([]byte, len("ready"))); err != nil {
				c.Process.Kill()
				t.Fatal("the child put nothing: ", err)
			}
			children = append(children, c)
		}
		time.Sleep(time.Duration(rng.IntN(20_000)) * time.Microsecond)
		for _, c := range children {
			if err := c.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range children {
			var exit *exec.ExitError
			if err := c.Wait(); !errors.As(err, &exit) || exit.Exited() {
				t.Fatalf("the child ended by itself: %v", err)
			}
		}
		verify(t, s)
		for _, name := range names(t, s) {
			if strings.HasPrefix(name, disk.TempPrefix) {
				leftovers++
			}
		}
		n, err := s.Sweep()
		if swept += n; err != nil {
			t.Errorf("Sweep: %d, %v", n, err)
		}
		for _, name := range names(t, s) {
			if strings.HasPrefix(name, disk.TempPrefix) {
				t.Errorf("%s is left though its process is gone", name)
			}
		}
	}
	if leftovers == 0 {
		t.Error("no process was killed while it wrote: the test proves nothing")
	}
	if n := verify(t, s); n != childCells {
		t.Errorf("%d records, want %d", n, childCells)
	}
	t.Logf("40 kills, %d temporary files and %d npz files swept", leftovers, swept-leftovers)
}

// verify checks every record of the store and returns their number.
func verify(t *testing.T, s *Store) (n int) {
	t.Helper()
	ids, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		r, state, err := s.Get(id)
		if state != Whole {
			t.Errorf("%s: %v, %v", id, state, err)
			continue
		}
		if r.NPZSum != r.Notes[0] {
			t.Errorf("%s has the npz of another record", id)
		}
		if _, state, err := s.Timing(id); state != Whole {
			t.Errorf("timing of %s: %v, %v", id, state, err)
		}
		n++
	}
	return n
}
