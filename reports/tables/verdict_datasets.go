package tables

import (
	"math"
	"ogdl/internal/artifact"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// datasetRounding is one unit of the last of the two decimals that the paper prints of a
// data set, as in [Datasets].
const datasetRounding = 0.01 + 1e-9

// datasetVerdicts compares the statistics of the paper's data sets.
func datasetVerdicts(rows []artifact.DatasetRow) (asked []paper.Verdict, unasked int) {
	byName := map[string]artifact.DatasetRow{}
	known := false
	printed := paper.Numbers()
	for _, r := range rows {
		byName[printed.DatasetName(r.Name)] = r
		_, paper := printed.Dataset(r.Name)
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
			v := paper.Verdict{Dataset: p.Name, Row: "data", Quantity: q.name, Paper: q.paper, Outcome: paper.NoRun}
			switch {
			case !there:
				unasked++
				continue
			case r.Missing != "":
				v.Remark = r.Missing
			case math.Abs(q.ours-q.paper) <= q.within:
				v.Ours, v.Outcome = q.ours, paper.Reproduced
			default:
				v.Ours, v.Outcome, v.Remark = q.ours, paper.Differs, p.Remark
			}
			asked = append(asked, v)
		}
	}
	return asked, unasked
}

// datasetVerdictTable is the table of [datasetVerdicts].
func datasetVerdictTable(spec summary.Spec, verdicts []paper.Verdict, unasked int) table.Table {
	t := table.Table{
		Name:  summary.TableDatasets + "_verdict",
		Title: summary.Title(spec, "Data sets: verdict on each printed number"),
		Columns: []table.Column{{Name: "data set", Key: true}, {Name: "statistic", Key: true}, {Name: paper.VerdictColumn},
			{Name: "paper", Right: true}, {Name: "ours", Right: true}, {Name: "remark"}},
		Notes: []string{paper.CountOutcomes(verdicts).Sentence(unasked),
			"Reproduced: equal, or within one unit of the paper's second decimal, which is partly rounded and partly cut."},
	}
	for _, v := range verdicts {
		ours := table.None()
		if v.Outcome != paper.NoRun {
			ours = table.Num(v.Ours, 2)
		}
		t.Rows = append(t.Rows, []table.Cell{table.Txt(v.Dataset), table.Txt(v.Quantity), table.Txt(string(v.Outcome)), table.Num(v.Paper, 2), ours, table.TextOrBlank(v.Remark)})
	}
	return t
}
