package main

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/protocol"
	"slices"
	"strings"
	"testing"
)

// TestIdentitiesOfKnownData: cells on published and simulated data keep their ids, byte for byte, so that stores
// of earlier revisions are read. Versions of methods are those of the time when the ids
// were written down; a version that is raised changes ids, and is meant to.
func TestIdentitiesOfKnownData(t *testing.T) {
	versions := map[string]int{"GDL": 2, "GWF-r": 2, "GWF-f": 2, "GDL_h": 2, "GW-k": 1, "SC": 1, "GDL-distances": 1,
		"GDL-time": 1, "GWF-time": 1, "GDL-online": 1, "statistics": 1}
	table := protocol.Methods().Described()
	for i := range table {
		v, ok := versions[table[i].Name]
		if !ok {
			continue // a new method
		}
		table[i].Version = v
	}
	var b strings.Builder
	for _, name := range []string{"smoke", "rivals", "mutag-check", "clustering-quick", "runtimes-quick", "datasets"} {
		src, source, err := grid.Open(name)
		must(t, err)
		c, err := grid.Parse(src, source, table)
		must(t, err)
		ids := map[string][]string{}
		for _, x := range c.Cells() {
			of := fmt.Sprintf("%s version %d", x.Method.Name, x.Method.Version)
			ids[of] = append(ids[of], x.ID)
		}
		for _, of := range slices.Sorted(maps.Keys(ids)) {
			slices.Sort(ids[of])
			fmt.Fprintf(&b, "%s: %s: %d cells, SHA-256 of the sorted ids %x\n", name, of, len(ids[of]), sha256.Sum256([]byte(strings.Join(ids[of], "\n"))))
			if name == "smoke" {
				fmt.Fprintln(&b, strings.Join(ids[of], "\n"))
			}
		}
	}
	golden(t, "identities.golden", b.String())
}
