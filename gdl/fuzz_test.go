package gdl_test

import (
	"bytes"
	"context"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/fuzztest"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// The targets mutate what archives are made of, not their bytes; see fuzztest.Archive.

func read(recipe []byte) (*gdl.Dictionary, map[string]string, error) {
	b := fuzztest.Archive(recipe)
	return gdl.ReadNPZ(bytes.NewReader(b), int64(len(b)))
}

// FuzzReadNPZ: what is accepted is sound, and comes back as the same bytes.
func FuzzReadNPZ(f *testing.F) {
	f.Fuzz(func(t *testing.T, recipe []byte) {
		d, meta, err := read(recipe)
		if err != nil {
			return
		}
		must.Do(t, d.Check())
		var a, b bytes.Buffer
		must.Do(t, d.WriteNPZ(&a, meta))
		again, meta := must.Get2(gdl.ReadNPZ(bytes.NewReader(a.Bytes()), int64(a.Len())))
		if err := again.WriteNPZ(&b, meta); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Fatalf("a dictionary changes by being read (%v)", err)
		}
	})
}

// resumable are the settings that checkpoints of the corpus were written under.
func resumable() []gdl.OnlineSettings {
	return []gdl.OnlineSettings{
		{Optimizer: gdl.Adam, Detector: &gdl.ChangePointSettings{RunLength: 100, Window: 6}}, // as full has them
		{},
	}
}

// FuzzReadCheckpoint: what is accepted is the state it says it is, and goes on from there.
func FuzzReadCheckpoint(f *testing.F) {
	graphs := [][]*gw.Space{noisy(source(1), 8, 3, 5, 0), noisy(source(1), 8, 3, 5, 1)} // by dimension
	f.Fuzz(func(t *testing.T, recipe []byte) {
		data := fuzztest.Archive(recipe)
		for _, s := range resumable() {
			o, err := gdl.ReadCheckpoint(bytes.NewReader(data), int64(len(data)), &s)
			if err != nil {
				continue
			}
			saved := checkpoint(t, o)
			again := must.Get(gdl.ReadCheckpoint(bytes.NewReader(saved), int64(len(saved)), &s))
			if !bytes.Equal(checkpoint(t, again), saved) {
				t.Fatal("a checkpoint changes by being read")
			}
			d := o.Dictionary()
			if d.N > 6 || d.S > 6 || d.D >= len(graphs) {
				continue
			}
			before := o.Steps()
			if _, err := o.Run(context.Background(), stream(graphs[d.D]), 0); err == nil && o.Steps() != before+8 {
				t.Fatalf("%d steps after %d", o.Steps(), before)
			}
		}
	})
}

func TestSeeds(t *testing.T) {
	fuzztest.Seeds(t, "FuzzReadNPZ", func(args []string) error {
		_, _, err := read([]byte(args[0]))
		return err
	})
	fuzztest.Seeds(t, "FuzzReadCheckpoint", func(args []string) (err error) {
		data := fuzztest.Archive([]byte(args[0]))
		for _, s := range resumable() {
			if _, err = gdl.ReadCheckpoint(bytes.NewReader(data), int64(len(data)), &s); err == nil {
				return nil
			}
		}
		return err
	})
}
