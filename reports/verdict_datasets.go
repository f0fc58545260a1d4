package reports

import "math"

// datasetRounding is one unit of the last of the two decimals that the paper prints of a
// data set, as in [Datasets].
const datasetRounding = 0.01 + 1e-9

// datasetVerdicts compares the statistics of the paper's data sets.
func datasetVerdicts(rows []DatasetRow) (asked []Verdict, unasked int) {
	byName := map[string]DatasetRow{}
	known := false
	printed := PaperNumbers()
	for _, r := range rows {
		byName[printed.datasetName(r.Name)] = r
		_, paper := printed.dataset(r.Name)
		known = known || paper
	}
	if !known {
		return nil, 0
	}
	for _, p := range printed.Datasets {
		r, there := byName[p.Name]
		for _, q := range []struct {
			name        string
			paper, ours float64
			within      float64
		}{
			{"graphs", float64(p.Graphs), float64(r.Graphs), 0},
			{"classes", float64(p.Classes), float64(r.Classes), 0},
			{"mean nodes", p.MeanNodes, r.MeanNodes, datasetRounding},
			{"min nodes", float64(p.MinNodes), float64(r.MinNodes), 0},
			{"max nodes", float64(p.MaxNodes), float64(r.MaxNodes), 0},
			{"median nodes", p.MedianNodes, r.MedianNodes, datasetRounding},
			{"connectivity, %", p.Connectivity, r.Connectivity, datasetRounding},
			{"attribute dimension", float64(p.AttributeDim), float64(r.AttributeDim), 0},
		} {
			v := Verdict{Dataset: p.Name, Row: "data", Quantity: q.name, Paper: q.paper, Outcome: NoRun}
			switch {
			case !there:
				unasked++
				continue
			case r.Missing != "":
				v.Remark = r.Missing
			case math.Abs(q.ours-q.paper) <= q.within:
				v.Ours, v.Outcome = q.ours, Reproduced
			default:
				v.Ours, v.Outcome, v.Remark = q.ours, Differs, p.Remark
			}
			asked = append(asked, v)
		}
	}
	return asked, unasked
}

// datasetVerdictTable is the table of [datasetVerdicts].
func datasetVerdictTable(spec Spec, verdicts []Verdict, unasked int) Table {
	t := Table{
		Name:  TableDatasets + "_verdict",
		Title: title(spec, "Data sets: verdict on each printed number"),
		Columns: []Column{{Name: "data set", Key: true}, {Name: "statistic", Key: true}, {Name: verdictColumn},
			{Name: "paper", Right: true}, {Name: "ours", Right: true}, {Name: "remark"}},
		Notes: []string{CountOutcomes(verdicts).Sentence(unasked),
			"Reproduced: equal, or within one unit of the paper's second decimal, which is partly rounded and partly cut."},
	}
	for _, v := range verdicts {
		ours := None()
		if v.Outcome != NoRun {
			ours = Num(v.Ours, 2)
		}
		t.Rows = append(t.Rows, []Cell{Txt(v.Dataset), Txt(v.Quantity), Txt(string(v.Outcome)), Num(v.Paper, 2), ours, textOrBlank(v.Remark)})
	}
	return t
}
