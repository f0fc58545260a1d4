package loader_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/internal/test/must"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drain reads a stream from where it is to its end.
func drain(t rapid.TB, s *loader.Stream) *datasets.Dataset {
	t.Helper()
	d := s.Head()
	d.Graphs = []datasets.Graph{}
	for k := 0; ; k++ {
		g, class, err := s.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if class != s.Class(k) || d.Classes == nil && class != -1 || d.Classes != nil && class != d.Classes[k] {
			t.Fatalf("graph %d has class %d, or %d, of %v", k, class, s.Class(k), d.Classes)
		}
		must.Equal(t, s.Order(k), g.Order(), "graph %d: nodes by the index", k)
		d.Graphs = append(d.Graphs, *g)
	}
	must.Equal(t, len(d.Graphs), s.Len(), "graphs, and Len")
	digest := must.Get(s.Digest(context.Background()))
	d.Digest = digest
	return d
}

func TestStreamFolders(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "X"), small)
	for name, open := range map[string]func() (*loader.Stream, error){
		"OpenStream": func() (*loader.Stream, error) { return loader.OpenStream(filepath.Join(dir, "X")) },
		"OpenNamed":  func() (*loader.Stream, error) { return loader.OpenNamed(dir, "X") },
	} {
		s, err := open()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(smallWant(), drain(t, s)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
		if _, _, err := s.Next(); err != io.EOF {
			t.Errorf("%s: after the end: error %v, want io.EOF", name, err)
		}
		s.Reset()
		if diff := cmp.Diff(smallWant(), drain(t, s)); diff != "" {
			t.Errorf("%s: once more (-want +got)\n%s", name, diff)
		}
		for _, k := range []int{-1, 3} {
			must.Panic(t, "loader: ", map[string]func(){"At": func() { s.At(k) }, "Class": func() { s.Class(k) }, "Order": func() { s.Order(k) }})
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: Close: %v", name, err)
		}
		if _, err := s.At(0); !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: closed: error %v", name, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: second Close: %v", name, err)
		}
	}
	must.Fail(t, must.Err(loader.OpenStream(dir)), "holds no file NAME_A.txt", "a folder of folders")
	if _, err := loader.OpenNamed(dir, "IMDB-B"); !errors.Is(err, loader.ErrMissing) || !strings.HasSuffix(err.Error(), "IMDB-BINARY -data "+dir) {
		t.Errorf("not there: error %v", err)
	}
}

// TestStreamChanged writes into the files behind the stream's back.
func TestStreamChanged(t *testing.T) {
	for _, c := range []struct{ file, data string }{
		{"A", "1, 3\n2, 1\n2, 3\n3, 2\n5, 6\n6, 5\n"}, // another edge
		{"A", "1, 9\n2, 1\n2, 3\n3, 2\n5, 6\n6, 5\n"}, // no edge
		{"A", "1, 2\n2, 1\n"},
		{"A", ""},
		{"node_labels", "7\n1\n7\n3\n0\n3\n"},
		{"node_labels", "7\n"},
		{"node_labels", "\n\n7\n\n\n\n\n\n\n\n\n\n"},
		{"node_labels", "7 7 7 7 7 7"},
		{"node_attributes", "0.5, 2\n-2, 1e3\n3, 1\n4, 1\n5, 1\n6, 1\n"},
		{"node_attributes", strings.Repeat("1,2\n", 10)},
	} {
		dir := t.TempDir()
		write(t, dir, small)
		s := must.Get(loader.OpenStream(dir))
		path := filepath.Join(dir, "X_"+c.file+".txt")
		must.Do(t, os.WriteFile(path, []byte(c.data), 0o644))
		want := path + ": bytes 0 to "
		for range 2 { // the stream stays where it is
			if g, _, err := s.Next(); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "changed since the stream was opened") {
				t.Errorf("%s %q: %+v, error %v, want %q", c.file, c.data, g, err, want)
			}
		}
		if _, err := s.Digest(context.Background()); err == nil {
			t.Errorf("%s %q: a digest", c.file, c.data)
		}
		s.Close()
	}
}

// broken is a file system whose file of that name fails after some bytes.
type broken struct {
	fstest.MapFS
	name  string
	after int64
}

var errDisk = errors.New("disk on fire")

func (b broken) Open(name string) (fs.File, error) {
	f, err := b.MapFS.Open(name)
	if name != b.name || err != nil {
		return f, err
	}
	return brokenFile{f, b.after}, nil
}

type brokenFile struct {
	fs.File
	after int64
}

func (f brokenFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.(io.ReaderAt).ReadAt(p[:min(int64(len(p)), max(f.after-off, 0))], off)
	if err == nil {
		err = errDisk
	}
	return n, err
}

// TestStreamUnreadable: a failure to read is reported as one, not as the half
// line before it.
func TestStreamUnreadable(t *testing.T) {
	for suffix := range small {
		name := "X_" + suffix + ".txt"
		for after := range int64(len(small[suffix])) {
			err := must.Err(loader.Read(broken{small.fsys(), name, after}, "X"))
			if !errors.Is(err, errDisk) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s unreadable after %d bytes: error %v", name, after, err)
			}
		}
	}
	must.Same(t, must.Get(loader.Read(noReaderAt{small.fsys()}, "X")), smallWant(), "files without ReadAt")
}

type noReaderAt struct{ fstest.MapFS }

func (n noReaderAt) Open(name string) (fs.File, error) {
	f, err := n.MapFS.Open(name)
	return struct{ fs.File }{f}, err
}

// TestStreamShared reads one stream from several goroutines.
func TestStreamShared(t *testing.T) {
	s := must.Get(loader.NewStream(small.fsys(), "X"))
	defer s.Close()
	want := smallWant()
	var wait sync.WaitGroup
	for w := range 4 {
		wait.Go(func() {
			for i := range 100 {
				k := (i + w) % s.Len()
				g, err := s.At(k)
				if err != nil || !cmp.Equal(&want.Graphs[k], g) {
					t.Errorf("graph %d: %+v, error %v", k, g, err)
				}
			}
		})
	}
	wait.Wait()
}
