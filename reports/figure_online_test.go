package reports

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// streamRun is a run on a stream of two segments of n steps, and what it stored.
func streamRun(dataset string, repetition, n int, status string) (summary.Expected, record.Record, []npz.Array) {
	e := summary.Expected{ID: fmt.Sprintf("%s-%d", strings.ToLower(dataset), repetition), Method: "GDL-online", Dataset: dataset, BaseSeed: 1, Repetition: repetition,
		Params: map[string]any{"atoms": 2, "order": 5, "features": "degree"}}
	r := record.Record{ID: e.ID, Method: e.Method, Dataset: dataset, Params: e.Params, BaseSeed: 1, Repetition: repetition, Status: status}
	if status != record.OK {
		r.Reason = "data set not there"
		return e, r, nil
	}
	shift := float64(repetition) / 100
	r.Scores = map[string]float64{
		"steps": float64(2 * n), "end_A": float64(n), "end_B": float64(2 * n), "alarms": 2, "false_alarms_up": 0, "false_alarms_down": 1, "false_alarm_bound": 0.015,
		"loss_begin_A": 1, "loss_end_A": 0.2 + shift, "loss_begin_B": 0.3 + shift, "loss_end_B": 0.25,
		"held_out_A_start": 1, "held_out_A_after_A": 0.2, "held_out_A_after_B": 0.2 + shift,
		"held_out_B_start": 2, "held_out_B_after_A": 0.4, "held_out_B_after_B": 0.3,
	}
	if repetition == 0 {
		r.Scores["delay_B"], r.Scores["down_B"] = 7, 0
	}
	loss, mean := make([]float64, 2*n), make([]float64, 2*n)
	for k := range loss {
		loss[k], mean[k] = 1/float64(k+1), 2/float64(k+1)
	}
	segments := artifact.Segments{Names: []string{"A", "B"}, Labels: []string{"0", "1"}, Ends: []int{n, 2 * n}}
	trace := artifact.Trace{Segments: 2, Loss: loss, Mean: mean, HeldStep: []int{0, n, 2 * n}, HeldLoss: []float64{1, 2, 0.2, 0.4, 0.2, 0.3},
		AlarmStep: []int{n - 3, n + 7}, AlarmOnset: []int{n - 5, n + 1}, AlarmDown: []int{1, 0}, AlarmOver: []float64{2, 3}}
	return e, r, append(segments.Arrays(), trace.Arrays()...)
}

func TestOnlineFigure(t *testing.T) {
	const n = 4000 // more than are drawn
	g := &grid{spec: summary.Spec{Name: "streams", Table: summary.FigureOnline}}
	stored := map[string][]npz.Array{}
	for k := range 2 {
		e, r, a := streamRun("TRIANGLES", k, n, record.OK)
		g.asked, g.recs = append(g.asked, e), append(g.recs, r)
		stored[e.ID] = a
	}
	e, r, _ := streamRun("TWITCH-EGOS", 0, n, record.Skipped)
	g.asked, g.recs = append(g.asked, e), append(g.recs, r)
	var asked []string
	arrays := func(id string) ([]npz.Array, error) { asked = append(asked, id); return stored[id], nil }
	figs, tabs, err := drawnOf(g.frame(), arrays)
	if err != nil || len(figs) != 1 || len(tabs) != 3 || !slices.Equal(asked, []string{"triangles-0"}) {
		t.Fatalf("%d figures, %d tables, %v; arrays of %v", len(figs), len(tabs), err, asked)
	}
	checkCSV(t, tabs...)
	f := figs[0]
	if f.Name != "online-triangles" || len(f.Panels) != 2 || !strings.Contains(f.Title, "2 atoms of 5 nodes") {
		t.Errorf("figure %q, %q", f.Name, f.Title)
	}
	must.Contain(t, f.Alt, "step 4000", "from 0.2 to 0.3", "an alarm after 7 steps")
	left, right := f.Panels[0].(plots.XY), f.Panels[1].(plots.XY)
	if len(left.Series) != 4 || len(left.Series[0].X) > 3000 || !strings.Contains(left.Note, "One step in 3") {
		t.Errorf("%d series, %d steps drawn, note %q", len(left.Series), len(left.Series[0].X), left.Note)
	}
	if risen := left.Series[2]; len(risen.X) != 1 || risen.X[0] != n+7 || risen.Y[0] != 2.0/(n+7) {
		t.Errorf("the alarm stands at %v, %v", risen.X, risen.Y)
	}
	if len(left.Marks) != 1 || left.Marks[0].Value != n || left.Marks[0].Label != "A to B" ||
		!slices.Equal(right.Series[1].Y, []float64{0.4, 0.3}) {
		t.Errorf("marks %v, held out %v", left.Marks, right.Series[1].Y)
	}
	rows := f.Data[0].Rows
	if first := rows[0]; first[0] != "3" || first[1] != "A" || first[4] != table.Exact(1.0/3) || first[5] != "1" {
		t.Errorf("first row %v", first)
	}
	if last := rows[len(rows)-1]; last[0] != "8000" || last[1] != "B" {
		t.Errorf("last row %v", last)
	}
	raised := 0
	for _, row := range rows {
		if row[7] != "" {
			raised++
		}
	}
	if raised != 2 || len(f.Data[1].Rows) != 3 {
		t.Errorf("%d alarms in the data, %d held-out losses", raised, len(f.Data[1].Rows))
	}
	files := must.Get(plots.Files(f))
	for _, x := range files {
		if len(x.Data) > 1<<20 {
			t.Errorf("%s has %d bytes", x.Name, len(x.Data))
		}
	}

	texts := map[string]string{}
	for _, tab := range tabs {
		var b strings.Builder
		must.Do(t, table.Terminal(&b, tab, 200))
		texts[tab.Name] = strings.Join(strings.Fields(b.String()), " ")
	}
	for name, want := range map[string][]string{
		"figure_online_change_points": {"TRIANGLES A to B 4000 0.2050 (0.0050) 0.3050 (0.0050) +48.8 1 of 2 a rise 7 7", "TWITCH-EGOS missing", "TWITCH-EGOS, 1 cell: 1 skipped (data set not there)."},
		"figure_online_alarms":        {"2 8000 2.0 (0.0) 0.0 (0.0) 1.0 (0.0) 1.50"},
		"figure_online_held_out":      {"A 1.0000 (0.0000) 0.2000 (0.0000) 0.2050 (0.0050) 2 of 2 1 of 2", "B 2.0000 (0.0000) 0.4000 (0.0000) 0.3000 (0.0000) 2 of 2 -"},
	} {
		must.Contain(t, texts[name], want...)
	}
}
