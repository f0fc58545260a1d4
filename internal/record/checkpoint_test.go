package record

import (
	"bytes"
	"errors"
	"testing"

	"ogdl/internal/test/must"
)

func TestCheckpoint(t *testing.T) {
	s := open(t)
	const id = "0123456789abcdef"
	if data, err := s.Checkpoint(id); data != nil || err != nil {
		t.Errorf("a checkpoint that nobody wrote: %q, %v", data, err)
	}
	for _, data := range []string{"first", "", "line\nline\n"} {
		must.Do(t, s.PutCheckpoint(id, []byte(data)))
		if got, err := s.Checkpoint(id); err != nil || !bytes.Equal(got, []byte(data)) || got == nil {
			t.Errorf("%q, %v, expected %q", got, err, data)
		}
	}
	if err := s.PutCheckpoint("../up", nil); err == nil {
		t.Error("an id that leaves the folder")
	}
	if _, err := s.Checkpoint("../up"); err == nil {
		t.Error("an id that leaves the folder")
	}
}

// A checkpoint stays while its cell has no result: a failure or a timeout leaves it.
func TestCheckpointGoesWithTheResult(t *testing.T) {
	s := must.Get(Open(t.TempDir()))
	is := func(want bool, what string) {
		t.Helper()
		if data, err := s.Checkpoint(testID); err != nil || (data != nil) != want {
			t.Errorf("%s: %q, %v", what, data, err)
		}
	}
	r := sampleRecord(testID)
	r.Status = Timeout
	must.Do(t, errors.Join(s.PutCheckpoint(testID, []byte("half")), s.Put(r, nil, nil)))
	is(true, "after a timeout")
	if n, err := s.Sweep(); n != 0 || err != nil {
		t.Errorf("Sweep removed %d, %v", n, err)
	}
	is(true, "after a sweep")
	r.Status = OK
	must.Do(t, s.Put(r, nil, nil))
	is(false, "after the result")

	// A killed run may leave one beside a result.
	must.Do(t, s.PutCheckpoint(testID, []byte("half")))
	if n, err := s.Sweep(); n != 1 || err != nil {
		t.Errorf("Sweep removed %d, %v", n, err)
	}
	is(false, "after a sweep beside a result")
}
