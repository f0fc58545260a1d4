package plots_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/test/golden"
	"ogdl/internal/test/must"
	"ogdl/reports/plots"

	"github.com/google/go-cmp/cmp"
)

// files draws a figure, as SVG alone where it has no formats.
func files(t testing.TB, f plots.Figure) map[string][]byte {
	t.Helper()
	if f.Formats == nil {
		f.Formats = []string{"svg"}
	}
	list := must.Get(plots.Files(f))
	out := map[string][]byte{}
	for _, x := range list {
		out[x.Name] = x.Data
	}
	return out
}

// sums names every file of the samples with its SHA-256.
func sums(t testing.TB) string {
	var b strings.Builder
	for i, f := range samples() {
		if i == 0 {
			f.Formats = []string{"svg", "pdf", "png"}
		}
		list := must.Get(plots.Files(f))
		for _, x := range list {
			fmt.Fprintf(&b, "%s %x\n", x.Name, sha256.Sum256(x.Data))
		}
	}
	return b.String()
}

const drawHere = "OGDL_TEST_DRAW"

// TestSameBytes draws every figure here and in another process on the other side of the world: no date, time zone, order of a map or earlier figure may be in a file.
func TestSameBytes(t *testing.T) {
	if os.Getenv(drawHere) != "" {
		fmt.Print("sums\n", sums(t), "sums\n")
		return
	}
	want := sums(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestSameBytes$")
	cmd.Env = append(os.Environ(), drawHere+"=1", "TZ=Pacific/Kiritimati")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := strings.Split(string(out), "sums\n"); len(got) != 3 || got[1] != want {
		t.Error(cmp.Diff(want, string(out)))
	}
}

// TestForPrint holds what a journal asks of files: pictures that say their 300 dots per inch, fonts cut to the letters used, no date of the clock.
func TestForPrint(t *testing.T) {
	for _, f := range samples()[:1] {
		f.Formats = []string{"png", "pdf"}
		got := files(t, f)
		if want := "\x00\x00\x00\x09pHYs\x00\x00\x2e\x23\x00\x00\x2e\x23\x01"; !bytes.Contains(got[f.Name+".png"], []byte(want)) { // 11811 per metre
			t.Errorf("%s.png does not say its resolution", f.Name)
		}
		pdf := got[f.Name+".pdf"]
		if len(pdf) > 21_000 || !bytes.Contains(pdf, []byte("/FontName /SUBSET+liberationsans")) || bytes.Contains(pdf, []byte("utf8")) {
			t.Errorf("%s.pdf: %d bytes, or fonts that are not cut", f.Name, len(pdf))
		}
		dates := regexp.MustCompile(`Date \([^)]*\)`).FindAllString(string(pdf), -1)
		must.Same(t, dates, []string{"Date (D:20000101000000)", "Date (D:20000101000000)"}, "%s.pdf", f.Name)
	}
}

// TestSizes bounds what a file takes of clouds and of many dense graphs, as a fit draws them.
func TestSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	clouds := plots.Figure{Name: "clouds", Alt: "Clouds.", Columns: 3}
	for range 3 {
		two := make([]plots.Series, 2)
		for i := range 6000 {
			s, x := &two[i%2], 3*r.Float64()
			s.X, s.Y = append(s.X, x), append(s.Y, x+r.NormFloat64()*[]float64{0.5, 0.2}[i%2])
		}
		clouds.Panels = append(clouds.Panels, plots.XY{Title: "a cloud", Series: two, Diagonal: true})
	}
	graphs := plots.Figure{Name: "graphs", Alt: "Graphs.", Columns: 4}
	for range 6 {
		g := plots.Graph{Title: "a graph", N: 25, Weights: make([]float64, 25*25)}
		for e := range g.Weights {
			g.Weights[e] = float64(r.IntN(10) / 3)
		}
		graphs.Panels = append(graphs.Panels, g)
	}
	for _, c := range []struct {
		figure   plots.Figure
		svg, pdf int
	}{{clouds, 600_000, 250_000}, {graphs, 100_000, 75_000}} {
		bounded(t, c.figure.Name, c.figure, c.svg, c.pdf)
	}
}

// bounded holds the files of a figure to these numbers of bytes.
func bounded(t *testing.T, what string, f plots.Figure, svg, pdf int) {
	t.Helper()
	f.Formats = []string{"svg", "pdf"}
	got := files(t, f)
	if s, p := len(got[f.Name+".svg"]), len(got[f.Name+".pdf"]); s > svg || p > pdf {
		t.Errorf("%s: %d bytes of SVG, %d of PDF", what, s, p)
	}
}

var number = regexp.MustCompile(`-?[0-9][0-9.]*(e[-+][0-9]+)?`)

// TestGolden compares the SVG files with those under testdata. On other architectures than the one they were
// drawn on, sums may differ in their last digits, and numbers are left out of the comparison.
func TestGolden(t *testing.T) {
	for _, f := range samples() {
		got := string(files(t, f)[f.Name+".svg"])
		want := golden.Want(t, filepath.Join("testdata", f.Name+".svg"), got)
		if runtime.GOARCH != "amd64" {
			got, want = number.ReplaceAllString(got, ""), number.ReplaceAllString(want, "")
		}
		must.Same(t, got, want, "%s.svg", f.Name)
	}
}

// TestNotes tells a reader what is not in the picture.
func TestNotes(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		panel plots.Panel
		want  []string
	}{
		{plots.XY{Series: []plots.Series{{X: []float64{1, nan, 3}, Y: []float64{1, 2, 3}}}}, []string{"1 point is left out: not finite or not positive."}},
		{plots.XY{LogY: true, Series: []plots.Series{{X: []float64{1, 2, 3}, Y: []float64{-1, 0, 3}}}}, []string{"2 points are left out: not finite or not positive."}},
		{plots.XY{}, []string{"no data"}},
		{plots.XY{Note: "see there", Series: []plots.Series{{X: []float64{inf}, Y: []float64{1}}}}, []string{"no data", "see there"}},
		{plots.Graph{}, []string{"no data"}},
		{plots.Graph{N: 150, Weights: slices.Repeat([]float64{1}, 150*150)}, []string{"6175 lighter edges are not drawn."}},
	} {
		svg := string(files(t, plots.Figure{Name: "f", Alt: "A picture.", Panels: []plots.Panel{c.panel}})["f.svg"])
		for _, want := range c.want {
			must.Contain(t, svg, ">"+want+"<")
		}
	}
}

// TestFormats holds that a figure has the files that are asked for, SVG and PDF by default.
func TestFormats(t *testing.T) {
	f := samples()[0]
	for text, want := range map[string]string{"": "svg pdf", "svg": "svg", "png,svg": "png svg"} {
		if text != "" {
			var err error
			if f.Formats, err = plots.ParseFormats(text); err != nil {
				t.Fatal(err)
			}
		}
		list, err := plots.Files(f)
		var got []string
		for _, x := range list {
			got = append(got, strings.TrimPrefix(filepath.Ext(x.Name), "."))
		}
		if f.Formats = nil; err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", "jpg", "svg,svg", "svg, pdf"} {
		if got, err := plots.ParseFormats(text); err == nil {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestErrors(t *testing.T) {
	good := plots.XY{Series: []plots.Series{{X: []float64{1}, Y: []float64{1}}}}
	with := func(p plots.Panel) plots.Figure {
		return plots.Figure{Name: "f", Alt: "A picture.", Panels: []plots.Panel{p}}
	}
	for _, c := range []struct {
		figure plots.Figure
		want   string
	}{
		{plots.Figure{Name: "../f", Alt: "a", Panels: []plots.Panel{good}}, `"../f"`},
		{plots.Figure{Name: "F", Alt: "a", Panels: []plots.Panel{good}}, "lower-case"},
		{plots.Figure{Name: "f", Panels: []plots.Panel{good}}, "no Alt"},
		{plots.Figure{Name: "f", Alt: "a"}, "no panels"},
		{plots.Figure{Name: "f", Alt: "a", Panels: []plots.Panel{good}, Width: 1}, "no room"},
		{plots.Figure{Name: "f", Alt: "a", Panels: []plots.Panel{good}, Data: []plots.Data{{Name: "a/b"}}}, `"a/b"`},
		{plots.Figure{Name: "f", Alt: "a", Panels: []plots.Panel{good}, Data: []plots.Data{{Header: []string{"x"}, Rows: [][]string{{"1", "2"}}}}}, "row 1 has 2 fields"},
		{with(plots.XY{Diagonal: true, LogX: true}), "diagonal"},
		{with(plots.XY{Series: []plots.Series{{X: []float64{1}}}}), "1 X and 0 Y"},
		{with(plots.XY{Series: []plots.Series{{X: []float64{1}, Y: []float64{1}, Low: []float64{1}}}}), "1 Low and 0 High"},
		{with(plots.XY{LogY: true, Series: []plots.Series{{X: []float64{1}, Y: []float64{1}, Low: []float64{1}, High: []float64{1}, Whiskers: true}}}), "bars along"},
		{with(plots.XY{Series: []plots.Series{{X: []float64{1}, Y: []float64{1}, Labels: []string{"a", "b"}}}}), "2 labels of 1 points"},
		{with(plots.XY{Field: &plots.Field{Columns: 2, Values: []float64{1}}}), "field of 2 columns with 1 values"},
		{with(plots.Graph{N: 2, Weights: make([]float64, 3)}), "3 weights"},
	} {
		if got, err := plots.Files(c.figure); err == nil || !strings.Contains(err.Error(), c.want) || got != nil {
			t.Errorf("want an error with %q, got %v and %d files", c.want, err, len(got))
		}
	}
	large := make([]float64, 201*201) // is no error: a report has much more in it
	figure := with(plots.Graph{N: 201, Weights: large})
	figure.Panels = append(figure.Panels, plots.Matrix("m", 201, large, 1))
	text := string(files(t, figure)["f.svg"])
	must.Contain(t, text, "201 nodes, too many to draw")
	if len(text) > 20_000 {
		t.Errorf("%d bytes", len(text))
	}
}

// TestLook: axes, ticks and words around the data, and the sizes of texts.
func TestLook(t *testing.T) {
	svg := func(f plots.Figure) string {
		f.Name, f.Alt = "f", "A picture."
		return string(files(t, f)["f.svg"])
	}
	line := plots.XY{Series: []plots.Series{{X: []float64{0, 1, 2}, Y: []float64{0, 1, 2}, Style: plots.Line}}}
	titled := svg(plots.Figure{Title: "A title", Panels: []plots.Panel{line}})
	bare := svg(plots.Figure{Title: "A title", Untitled: true, Panels: []plots.Panel{line}})
	if strings.Count(titled, ">A title<") != 2 || strings.Count(bare, ">A title<") != 1 {
		t.Error("a title stands in the file, and unless it is left out in the picture")
	}
	for _, f := range samples() {
		f.Width = 8.25
		text := svg(f)
		if !strings.Contains(text, `width="233.86pt"`) || strings.Count(text, "font-size:8px") != strings.Count(text, "font-size:") {
			t.Errorf("%s: not 8.25 cm wide, or texts of other sizes than 8 points", f.Title)
		}
	}
}

// TestParseWidth: a number and its unit.
func TestParseWidth(t *testing.T) {
	for text, want := range map[string]float64{"8.25cm": 8.25, "82.5mm": 8.25, "4in": 10.16, "144pt": 5.08} {
		if got, err := plots.ParseWidth(text); err != nil || !(math.Abs(got-want) <= 1e-9) {
			t.Errorf("%s: %v cm, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "8.25", "cm", "8,25cm", "8.25 furlongs", "-8cm", "NaNcm", "1cm", "2000mm", "Infpt"} {
		if got, err := plots.ParseWidth(text); err == nil || !strings.Contains(err.Error(), "cm, mm, in, pt") {
			t.Errorf("%q: %v cm, %v", text, got, err)
		}
	}
}

// TestLegends: one legend for all panels, with each sign of a name once.
func TestLegends(t *testing.T) {
	xy := func(name string, colour int) plots.XY {
		return plots.XY{Series: []plots.Series{{Name: name, X: []float64{1, 2}, Y: []float64{1, 2}, Colour: colour}}}
	}
	panels := []plots.Panel{xy("first", 1), xy("first", 1), xy("last", 1), xy("", 3)}
	svg := string(files(t, plots.Figure{Name: "f", Alt: "Points.", Panels: panels})["f.svg"])
	if first, last := strings.Count(svg, ">first<"), strings.Count(svg, ">last<"); first != 1 || last != 1 {
		t.Errorf("%d and %d entries", first, last)
	}
}

// TestScale: the legend has the scale of matrices once.
func TestScale(t *testing.T) {
	m := plots.Matrix("", 1, []float64{1}, 2)
	svg := string(files(t, plots.Figure{Name: "f", Alt: "Matrices.", Panels: []plots.Panel{m, m}})["f.svg"])
	must.Check(t, strings.Count(svg, ">0 to 2<"), 1, "scales")
}

func TestData(t *testing.T) {
	f := samples()[0]
	f.Data = []plots.Data{{Header: []string{"a", "GW, other parameters"}, Rows: [][]string{{"1", `say "x", y`}}}, {Name: "more", Header: []string{"c"}}}
	got := files(t, f)
	rows := must.Get(csv.NewReader(bytes.NewReader(got[f.Name+".csv"])).ReadAll())
	if want := [][]string{{"a", "GW_other_parameters"}, {"1", `say "x", y`}}; !cmp.Equal(rows, want) {
		t.Error(cmp.Diff(want, rows))
	}
	if got := string(got[f.Name+"-more.csv"]); got != "c\n" {
		t.Errorf("%q", got)
	}
}

// TestAdd: texts are no formulas of a spreadsheet, numbers keep their digits, and NaN is empty.
func TestAdd(t *testing.T) {
	var d plots.Data
	d.Add("=1+1", "@x", "a=b", -1, -0.1, math.NaN())
	must.Same(t, d.Rows, [][]string{{"'=1+1", "'@x", "a=b", "-1", "-0.1", ""}}, "fields")
}

func TestDistinctNames(t *testing.T) {
	long := strings.Repeat("a", 200)
	got := plots.DistinctNames([]string{"x", "y", "x", "x-2", "x", long, long + "b"})
	want := []string{"x", "y", "x-2", "x-2-2", "x-3", long[:80], long[:80] + "-2"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
