package compare

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"ogdl/internal/record"
)

// Bytes compares two folders of results byte for byte: records without their provenance, npz files, and the files under
// clusters/ of each configuration. It returns the number of these items in the first folder, one SHA-256 over all of them, and the
// first difference in words, which is "" if there is none. Timings, tables and figures are not compared.
func Bytes(a, b string) (items int, sum [sha256.Size]byte, difference string, err error) {
	var sides [2]map[string][sha256.Size]byte
	for i, dir := range []string{a, b} {
		if sides[i], err = sumsOf(dir); err != nil {
			return 0, sum, "", err
		}
	}
	union := maps.Clone(sides[0])
	maps.Copy(union, sides[1])
	all := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(union)) {
		x, inA := sides[0][name]
		y, inB := sides[1][name]
		switch {
		case !inA:
			return len(sides[0]), sum, "only in B: " + name, nil
		case !inB:
			return len(sides[0]), sum, "only in A: " + name, nil
		case x != y:
			return len(sides[0]), sum, "differs: " + name, nil
		}
		fmt.Fprintf(all, "%s %x\n", name, x)
	}
	return len(sides[0]), [sha256.Size]byte(all.Sum(nil)), "", nil
}

// sumsOf returns the SHA-256 of every item of a folder that [Bytes] compares, by its name. A folder without records is an error.
func sumsOf(dir string) (map[string][sha256.Size]byte, error) {
	store, err := record.Open(dir)
	if err != nil {
		return nil, err
	}
	sums := map[string][sha256.Size]byte{}
	for r, err := range store.All() {
		if err != nil {
			return nil, err
		}
		r.Provenance = record.Provenance{}
		sums["record "+r.ID] = sha256.Sum256(record.Canonical(r))
		if r.NPZSum == "" {
			continue
		}
		data, err := store.NPZ(r.ID)
		if err != nil {
			return nil, err
		}
		sums["npz "+r.ID] = sha256.Sum256(data)
	}
	if len(sums) == 0 {
		return nil, fmt.Errorf("%s holds no record; name a folder that a run has had as -out", store.Dir())
	}
	configurations, err := os.ReadDir(dir)
	for _, c := range configurations {
		folder := filepath.Join(dir, c.Name(), "clusters")
		if _, absent := os.Stat(folder); absent != nil {
			continue
		}
		err = errors.Join(err, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(dir, path)
			sums["file "+filepath.ToSlash(name)] = sha256.Sum256(data)
			return err
		}))
	}
	return sums, err
}
