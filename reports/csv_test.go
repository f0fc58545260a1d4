package reports

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/reports/figures"
	"ogdl/reports/table"
)

// Names of columns are words; texts hold no number with its deviation, count, unit or mark.
var (
	columnName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)
	forPeople  = regexp.MustCompile(`^[-+]?[0-9.]+ \(|[0-9] of [0-9]|%$|^[-+]?[0-9.]+[*#]|^-$`)
)

// Columns that docs describe by the first of their kind.
var (
	variant = regexp.MustCompile(`_(std|n|asked)$`)
	oneOf   = regexp.MustCompile(`_[0-9]+$`)
)

// documentedColumns are the words in code type of the page on results.
var documentedColumns = sync.OnceValue(func() (out []string) {
	page := must.Get(os.ReadFile("../docs/library.md"))
	for _, m := range regexp.MustCompile("`([a-z0-9_]+)`").FindAllStringSubmatch(string(page), -1) {
		out = append(out, m[1])
	}
	return out
})

// checkCSV wants every field of a table's CSV empty, a number that is a typed cell's to the last digit, in its shortest form, or a word; and every
// number of the table in it.
func checkCSV(t *testing.T, tabs ...table.Table) {
	t.Helper()
	for _, tab := range tabs {
		checkOneCSV(t, tab)
	}
}

func checkOneCSV(t *testing.T, tab table.Table) {
	t.Helper()
	if tab.Laid {
		return
	}
	var b bytes.Buffer
	must.Do(t, table.CSV(&b, tab))
	lines := must.Get(csv.NewReader(&b).ReadAll())
	tab = tab.Whole()
	documented := slices.Clone(documentedColumns())
	for _, c := range tab.Columns {
		documented = append(documented, c.Params...)
	}
	for j, name := range lines[0] {
		name = strings.Replace(name, "after_b", "after_a", 1)
		if slices.Contains(lines[0][:j], lines[0][j]) || !columnName.MatchString(name) {
			t.Errorf("%s: the column %q", tab.Name, name)
		}
		if !slices.Contains(documented, name) && !slices.Contains(documented, variant.ReplaceAllString(name, "")) &&
			!slices.Contains(documented, variant.ReplaceAllString(name, "")+"_mean") && !slices.Contains(documented, oneOf.ReplaceAllString(name, "_1")) {
			t.Errorf("%s: docs do not describe the column %q", tab.Name, name)
		}
	}
	must.Equal(t, len(lines)-1, len(tab.Rows), "%s: lines for rows", tab.Name)
	for i, row := range tab.Rows {
		var numbers []float64 // that the line must have, in any order
		for j, c := range row {
			cells := []table.Cell{c}
			switch column := tab.Columns[j]; {
			case column.NoCSV, column.Params == nil && !column.Counted && !column.Listed && column.CSV == "" && len(c.Parts) > 1: // a sum of rows
				continue
			case c.Parts != nil:
				cells = c.Parts
			}
			for _, c := range cells {
				if c.Kind == table.Number {
					numbers = append(numbers, c.Value)
				}
				spread := c.Kind == table.Number && tab.Columns[j].Spread
				if spread && c.HasStd {
					numbers = append(numbers, c.Std)
				}
				if spread && c.N > 0 {
					numbers = append(numbers, float64(c.N))
				}
			}
		}
		var found []float64
		for j, field := range lines[i+1] {
			v, err := strconv.ParseFloat(field, 64)
			switch {
			case field == "":
			case err == nil && lines[0][j] != "id" && lines[0][j] != "graph":
				if field != table.Exact(v) || math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("%s: %q in %s", tab.Name, field, lines[0][j])
				}
				found = append(found, v)
			case forPeople.MatchString(field) || field == table.MissingWord && lines[0][j] != "verdict":
				t.Errorf("%s: %q in %s", tab.Name, field, lines[0][j])
			}
		}
		for j, name := range lines[0] {
			if k := slices.Index(lines[0], strings.TrimSuffix(name, "_n")+"_std"); k >= 0 && k != j && (lines[i+1][j] == "") != (lines[i+1][k] == "") {
				t.Errorf("%s: row %d: %s is %q beside %s %q", tab.Name, i, name, lines[i+1][j], lines[0][k], lines[i+1][k])
			}
		}
		slices.Sort(numbers)
		slices.Sort(found)
		same(t, numbers, found)
	}
}

// TestTablesForPrograms holds the CSV of every table of every kind, with runs and before anything has run.
func TestTablesForPrograms(t *testing.T) {
	for name, f := range everyKind() {
		t.Run(name, func(t *testing.T) {
			stable, timed := tablesOf(f)
			checkCSV(t, append(stable, timed...)...)
		})
	}
	distances, distanceArrays := distancesGrid()
	weights, weightArrays := weightsGrid(2, 3, 4, 5, 7)
	for _, x := range []struct {
		g      *grid
		arrays figures.Arrays
	}{{distances, distanceArrays}, {weights, weightArrays}} {
		_, tabs, err := drawnOf(x.g.frame(), x.arrays)
		if err != nil || len(tabs) == 0 {
			t.Fatalf("%d tables, %v", len(tabs), err)
		}
		checkCSV(t, tabs...)
	}
}
