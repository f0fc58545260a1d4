package table

import (
	"strings"
	"testing"

	"ogdl/internal/test/must"
)

func TestBrief(t *testing.T) {
	long := strings.Repeat("word ", 30)
	all := Table{Name: "t", Columns: Columns{
		Dataset, {Title: "blank"}, {Title: "paper", Spread: true}, {Title: "selected", Spread: true}, {Title: "verdict"}, {Title: "remark"},
		{Title: "width", Right: true},
	}, Terminal: 5}
	all.Add(Txt("MUTAG"), Cell{}, MeanStd(70, 1), MeanStd(71, 1), Txt("higher"), Txt(long), Num(3, 2))
	for _, x := range []struct {
		name            string
		terminal, width int
		want            string
	}{
		{"counted columns, no blank one", 5, 120, "data set paper selected verdict"},
		{"all columns that fit", 0, 120, "data set paper selected verdict width"},
		{"a narrow terminal", 5, 36, "data set paper selected"},
		{"a value always", 5, 10, "data set paper"},
	} {
		t.Run(x.name, func(t *testing.T) {
			in := all
			in.Terminal = x.terminal
			var b strings.Builder
			must.Do(t, Terminal(&b, Brief(in, x.width), 0))
			header, _, _ := strings.Cut(b.String(), "\n")
			must.Check(t, strings.Join(strings.Fields(header), " "), x.want, "columns")
			must.Check(t, strings.Count(b.String(), "\n"), 3, "lines, where a row is one line")
		})
	}
	if len(all.Columns) != 7 || len(all.Rows[0]) != 7 {
		t.Error("Brief changed its table")
	}
}
