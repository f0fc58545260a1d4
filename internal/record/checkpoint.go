package record

import (
	"bytes"
	"path/filepath"
	"strings"

	"ogdl/internal/disk"
)

// checkpointSuffix ends the name of a checkpoint, DIR/store/<id[:2]>/<id>.checkpoint: the
// SHA-256 of its data in hexadecimal digits, a line feed, the data.
const checkpointSuffix = ".checkpoint"

func (s *Store) checkpointPath(id string) string {
	return filepath.Join(s.shard(id), id+checkpointSuffix)
}

// PutCheckpoint keeps the state that an unfinished cell can go on from, in place of an earlier
// one. It appears whole or not at all. Put removes it when the cell is ok.
func (s *Store) PutCheckpoint(id string, data []byte) error {
	if err := checkID(id); err != nil {
		return err
	}
	return s.put(disk.Data{Path: s.checkpointPath(id), Bytes: append([]byte(sumOf(data)+"\n"), data...)})
}

// Checkpoint returns the bytes that PutCheckpoint stored, or nil without an error if there are
// none. An altered or truncated checkpoint gives an error that wraps ErrCorrupt.
func (s *Store) Checkpoint(id string) ([]byte, error) {
	if err := checkID(id); err != nil {
		return nil, err
	}
	path := s.checkpointPath(id)
	file, err := s.load(path)
	if file == nil {
		return nil, err
	}
	digits, data, _ := bytes.Cut(file, []byte("\n"))
	if sumOf(data) != string(digits) {
		return nil, corrupt(path, "checksum does not match")
	}
	return data, nil
}

// finished reports whether a file is the checkpoint of a cell that is ok.
func (s *Store) finished(dir, name string) bool {
	id, ok := strings.CutSuffix(name, checkpointSuffix)
	if !ok {
		return false
	}
	r, _ := read(s, filepath.Join(dir, id+".json"), id, func(*Record) bool { return true })
	return r != nil && r.Status == OK
}
