package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFiguresOfGraphs runs small configurations of the paper's Figures 1 to 3: the pictures and
// tables are there, the same ones when rendered again from the store alone, and a data set that
// is missing is named and keeps nobody else from being drawn.
func TestFiguresOfGraphs(t *testing.T) {
	const block = "[[grid]]\ndataset = %q\nsbm_graphs = 6\nsbm_order_max = 15\nmethod = \"GDL\"\natoms = %d\norder = 5\ninit = \"random\"\n" +
		"epochs = 2\nkmeans_restarts = 2\nkeep_graphs = 4\n"
	for _, c := range []struct {
		table, blocks, text string
		files               []string
	}{
		{"figure_atoms", fmt.Sprintf(block, "D1", 3) + "[[grid]]\ndataset = \"MUTAG\"\nmethod = \"GDL\"\natoms = 2\n", "no cell has ended well: MUTAG",
			[]string{"atoms.csv", "atoms_repetitions.csv", "figures/atoms-d1.svg", "figures/atoms-d1.pdf", "figures/atoms-d1.csv"}},
		{"figure_simplex", fmt.Sprintf(block, "D1", 3) + "lambda = [0, 0.01]\n", "2 blocks",
			[]string{"simplex.csv", "figures/simplex-d1.svg", "figures/simplex-d1.csv"}},
		{"figure_interpolation", fmt.Sprintf(block, "D2", 2), "Spearman",
			[]string{"interpolation.csv", "figures/interpolation-d2.svg", "figures/interpolation-d2-proportion.svg", "figures/interpolation-d2-proportion-graphs.csv"}},
	} {
		t.Run(c.table, func(t *testing.T) {
			t.Parallel()
			s := newSession(t, "table = \""+c.table+"\"\nrepetitions = 2\n"+c.blocks)
			s.run(exitOK)
			s.wantOut("tables and figures in ")
			text, err := os.ReadFile(filepath.Join(s.dir, "out", "grid", strings.TrimSuffix(c.files[0], ".csv")+".txt"))
			if err != nil || !strings.Contains(string(text), c.text) {
				t.Errorf("no %q in %s, %v", c.text, text, err)
			}
			before := s.results()
			for _, name := range c.files {
				if before[filepath.Join("grid", filepath.FromSlash(name))] == "" {
					t.Errorf("no %s", name)
				}
			}
			for name := range before {
				if strings.HasPrefix(name, "grid") {
					if err := os.Remove(filepath.Join(s.dir, "out", name)); err != nil {
						t.Fatal(err)
					}
				}
			}
			s.run(exitOK, "-report")
			after := s.results()
			for name, text := range before {
				if after[name] != text {
					t.Errorf("%s is another file when rendered again", name)
				}
			}
		})
	}
}
