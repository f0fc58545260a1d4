package npz_test

import (
	"archive/zip"
	"bytes"
	"runtime/metrics"
	"testing"

	"ogdl/internal/fuzztest"
	"ogdl/internal/test/must"
)

// FuzzRead mutates whole archives, so that the zip's own structure is met too.
func FuzzRead(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) { readAndWrite(t, data) })
}

// FuzzArray mutates the file of one array, which the archive around it fits.
func FuzzArray(f *testing.F) {
	f.Fuzz(func(t *testing.T, name string, file []byte) {
		readAndWrite(t, archive(t, zip.Store, name+".npy", string(file)))
	})
}

func readAndWrite(t *testing.T, data []byte) {
	before := allocated()
	arrays, err := read(data)
	// Unpacked 64 times, read into growing memory, decoded, and the zip reader's own.
	if got, limit := allocated()-before, uint64(64*len(data)+1<<20)*16; got > limit {
		t.Fatalf("reading %d bytes allocated %d, more than %d", len(data), got, limit)
	}
	if err != nil {
		return
	}
	// What was read can be written, and reads back the same.
	written := write(t, arrays)
	if !bytes.Equal(written, write(t, must.Get(read(written)))) {
		t.Fatal("what was read and written reads back as something else")
	}
}

// allocated is the number of bytes allocated so far.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

func TestSeeds(t *testing.T) {
	fuzztest.Seeds(t, "FuzzRead", func(args []string) error { return must.Err(read([]byte(args[0]))) })
	fuzztest.Seeds(t, "FuzzArray", func(args []string) error { return must.Err(read(archive(t, zip.Store, args[0]+".npy", args[1]))) })
}
