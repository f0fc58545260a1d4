package grid

import (
	"strings"
	"testing"

	"ogdl/experiments/internal/protocol"
	"ogdl/internal/test/must"
)

// TestRepetitionsOfABlock: a block says how often it repeats; cells are those that the same number at the top gives, and a configuration of
// two blocks is repeated as often as the one asks that asks for more.
func TestRepetitionsOfABlock(t *testing.T) {
	const few, many = "[[grid]]\ndataset = [\"BZR\", \"MUTAG\"]\nmethod = \"GWF-r\"\natoms = 2\n", "[[grid]]\ndataset = \"MUTAG\"\nmethod = \"GWF-r\"\natoms = 2\nrepetitions = 5\n"
	for _, src := range []string{few + many, many + few} {
		c := parsed(t, gridHead+src)
		got := map[string]int{}
		seen := map[string]bool{}
		for _, x := range c.Cells() {
			if x.Repetition != got[x.Dataset] || seen[x.ID] {
				t.Errorf("cell %v out of turn", x)
			}
			got[x.Dataset]++
			seen[x.ID] = true
		}
		if got["BZR"] != 2 || got["MUTAG"] != 5 || len(got) != 2 || c.Behind() != 5 {
			t.Errorf("%v repetitions, fresh ones from %d", got, c.Behind())
		}
		for _, x := range parsed(t, strings.Replace(gridHead, "= 2", "= 5", 1)+few).Cells() {
			if x.Dataset == "MUTAG" && !seen[x.ID] {
				t.Errorf("cell %v has another id", x)
			}
		}
	}
	for bad, want := range map[string]string{
		strings.Replace(many, "= 5", "= 0", 1):                 "test.toml:8: repetitions = 0: must be an integer from 1 to 10000",
		strings.Replace(many, "= 5", "= [5]", 1):               "test.toml:8: repetitions = [5]: must be an integer from 1 to 10000",
		strings.Replace(many, "= 5", "= 10000\nlambda = 1", 1): "unknown key for method GWF-r",
	} {
		_, err := Parse([]byte(gridHead+bad), "test.toml", protocol.Methods().Described())
		must.Fail(t, err, want, bad)
	}
	const once = "table = \"datasets\"\n[[grid]]\ndataset = \"MUTAG\"\nmethod = \"statistics\"\nrepetitions = 2\n"
	if _, err := Parse([]byte(once), "test.toml", protocol.Methods().Described()); err == nil || !strings.Contains(err.Error(), "statistics has no random draws: omit repetitions") {
		t.Error(err)
	}
}

// TestNumbersAreOneValue: a list of numbers is one value, whatever its order; lists of lists are several.
func TestNumbersAreOneValue(t *testing.T) {
	const head = "table = \"classification\"\nrepetitions = 1\n[[grid]]\ndataset = \"MUTAG\"\nmethod = \"FGWK\"\n"
	id := func(line string, n int) string {
		cells := parsed(t, head+line).Cells()
		must.Check(t, len(cells), n, "%s: cells", line)
		return cells[0].ID
	}
	one := id("C = [10, 1, 0.5]", 1)
	if id("C = [0.5, 1, 10]", 1) != one || id("C = [[1, 0.5, 10.0], [1]]", 2) != one || id("C = 1", 1) != id("C = [1.0]", 1) {
		t.Error("the order or the form of a list counts")
	}
	if id("", 1) != id("C = [1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7]", 1) {
		t.Error("the default is another list than it says")
	}
	for _, bad := range []string{"C = [1, 1]", "C = []", "C = [0]", "C = [-1, 1]", `C = ["a"]`, "C = [nan]", "gamma = [1e13]", `C = "1 x"`} {
		_, err := Parse([]byte(head+bad), "test.toml", protocol.Methods().Described())
		if err == nil || !strings.HasPrefix(err.Error(), "test.toml:6: ") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
