package plots_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/reports/plots"

	"pgregory.net/rapid"
)

// checkSVG holds what is promised of an SVG file.
func checkSVG(t rapid.TB, data []byte, title, alt string) {
	t.Helper()
	var head struct {
		Role  string `xml:"role,attr"`
		Box   string `xml:"viewBox,attr"`
		Title string `xml:"title"`
		Desc  string `xml:"desc"`
	}
	if err := xml.Unmarshal(data, &head); err != nil {
		t.Fatalf("not XML: %v", err)
	}
	if head.Role != "img" || head.Title != title || head.Desc != alt {
		t.Fatalf("role %q, title %q, text %q", head.Role, head.Title, head.Desc)
	}
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if !slices.Contains([]string{"svg", "title", "desc", "style", "g", "path", "text"}, e.Name.Local) {
			t.Fatalf("element %s", e.Name.Local)
		}
		for _, a := range e.Attr {
			switch {
			case a.Name.Local == "id" || a.Name.Local == "href":
				t.Fatalf("attribute %s", a.Name.Local)
			case a.Name.Local == "d" || a.Name.Local == "viewBox" || a.Name.Local == "x" || a.Name.Local == "y":
				if strings.Contains(a.Value, "N") || strings.Contains(a.Value, "I") {
					t.Fatalf("%s=%q", a.Name.Local, a.Value)
				}
			}
		}
	}
}

// values are numbers, some of which cannot be drawn.
func values(n int) *rapid.Generator[[]float64] {
	return rapid.SliceOfN(rapid.OneOf(
		rapid.Float64Range(-3, 3), rapid.Float64(),
		rapid.SampledFrom([]float64{0, 1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 1e-300, 1e299}),
	), n, n)
}

var texts = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "<script>alert(1)</script>", "a\x00b", "\xff", "lambda λ", `"quotes" & 'more'`, strings.Repeat("long ", 40)}))

var panels = rapid.Custom(func(t *rapid.T) plots.Panel {
	n := rapid.IntRange(0, 6).Draw(t, "n")
	switch rapid.IntRange(0, 2).Draw(t, "kind") {
	case 0:
		top := rapid.Float64Range(0, 9).Draw(t, "max")
		return plots.Matrix(texts.Draw(t, "title"), n+1, values((n+1)*(n+1)).Draw(t, "values"), top)
	case 1:
		g := plots.Graph{Title: texts.Draw(t, "title"), N: n, Weights: values(n*n).Draw(t, "weights")}
		if rapid.Bool().Draw(t, "sized") {
			g.NodeSize = values(n).Draw(t, "sizes")
		}
		return g
	}
	x := plots.XY{Title: texts.Draw(t, "title"), XLabel: texts.Draw(t, "x"), YLabel: "y", LogX: rapid.Bool().Draw(t, "log x"), LogY: rapid.Bool().Draw(t, "log y"),
		Diagonal: rapid.IntRange(0, 4).Draw(t, "diagonal") == 0}
	if x.Diagonal {
		x.LogY = x.LogX
	}
	for range rapid.IntRange(0, 3).Draw(t, "series") {
		s := plots.Series{Name: texts.Draw(t, "name"), X: values(n).Draw(t, "X"), Y: values(n).Draw(t, "Y"), Style: plots.Style(rapid.IntRange(0, 3).Draw(t, "style")),
			Colour: rapid.IntRange(0, 20).Draw(t, "colour"), Whiskers: !x.LogY && rapid.Bool().Draw(t, "whiskers"), Across: !x.LogX && rapid.Bool().Draw(t, "across")}
		if rapid.Bool().Draw(t, "band") {
			s.Low, s.High = values(n).Draw(t, "low"), values(n).Draw(t, "high")
		}
		for range len(s.X) * rapid.IntRange(0, 1).Draw(t, "labelled") {
			s.Labels = append(s.Labels, texts.Draw(t, "label"))
		}
		x.Series = append(x.Series, s)
	}
	if rapid.Bool().Draw(t, "field") {
		columns := rapid.IntRange(1, 5).Draw(t, "columns")
		return plots.XY{Title: x.Title, Field: &plots.Field{Columns: columns, Values: values(3*columns).Draw(t, "values"), Min: -1, Max: rapid.Float64Range(-1, 1e9).Draw(t, "max")}}
	}
	for _, v := range values(n).Draw(t, "marks") {
		x.Marks = append(x.Marks, plots.Tick{Value: v, Label: texts.Draw(t, "mark")})
		x.XTicks = append(x.XTicks, plots.Tick{Value: v, Label: texts.Draw(t, "tick")})
	}
	return x
})

// TestAnyContent draws what numbers and names may come: never a panic, never a broken file.
func TestAnyContent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := plots.Figure{Name: "any", Title: texts.Draw(t, "figure"), Alt: "A picture.", Panels: rapid.SliceOfN(panels, 1, 4).Draw(t, "panels")}
		f.Formats = []string{"svg", "pdf", "png"}[:1]
		switch rapid.IntRange(0, 39).Draw(t, "formats") { // the others take their time
		case 0, 1, 2, 3:
			f.Formats = f.Formats[:2]
		case 4:
			f.Formats = f.Formats[:3]
		}
		list := must.Get(plots.Files(f))
		checkSVG(t, list[0].Data, clean(f.Title), f.Alt)
		if len(list) > 1 && !bytes.HasPrefix(list[1].Data, []byte("%PDF-")) {
			t.Fatal("no PDF")
		}
		if len(list) > 2 {
			must.Do(t, must.Err(png.Decode(bytes.NewReader(list[2].Data))))
		}
	})
}

// clean is the text as XML may hold it.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case r < ' ' || r == 0x7f || r == 0xfffe || r == 0xffff:
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
