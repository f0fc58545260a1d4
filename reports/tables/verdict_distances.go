package tables

import (
	"ogdl/internal/artifact"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// distanceVerdicts compare the correlations that the paper prints with those of the
// configuration with the least lambda on the data set: the paper's figure names none.
func distanceVerdicts(f *summary.Frame) (asked []paper.Verdict, unasked int) {
	printed := paper.Numbers()
	plain := map[string]*summary.Config{}
	for _, l := range f.Rows {
		for _, c := range l.Configs {
			name := printed.DatasetName(l.Dataset)
			if best := plain[name]; best == nil || c.Params.At(summary.ParamLambda).Number < best.Params.At(summary.ParamLambda).Number {
				plain[name] = c
			}
		}
	}
	for _, p := range printed.Correlations {
		pair := p.Pair()
		v := paper.Verdict{Dataset: p.Dataset, Row: artifact.DistancesText(pair.X) + " - " + artifact.DistancesText(pair.Y), Quantity: "Pearson correlation", Paper: p.Pearson, Outcome: paper.NoRun}
		c := plain[p.Dataset]
		if c == nil {
			unasked++
			continue
		}
		s := c.Over(pair.Score(artifact.CoefficientPearson))
		if s.N == 0 {
			v.Remark = "no cell of it has ended well"
			asked = append(asked, v)
			continue
		}
		v.Ours, v.OursStd, v.Seeds = s.Mean, s.Std, s.N
		if s.N < len(c.Runs) {
			v.Mark = table.MarkSeeds
		}
		i := paper.Student(s, p.Pearson)
		v.Low, v.High, v.HasInterval = i.Low, i.High, i.Known
		v.Outcome = i.Judge(p.Digit(), paper.WidestReproduced/100.)
		if v.Outcome == paper.NoVerdict {
			v.Remark = "one repetition has no interval; "
		}
		if x, ok := c.Params.Get(summary.ParamLambda); ok {
			v.Remark += "lambda " + x.Text + "; the paper does not say"
		}
		asked = append(asked, v)
	}
	if len(asked) == 0 {
		return nil, 0
	}
	return asked, unasked
}

// distanceVerdictTable is the table of [distanceVerdicts].
func distanceVerdictTable(spec summary.Spec, verdicts []paper.Verdict, unasked int) table.Table {
	t := table.Table{
		Name:  "distances_verdict",
		Title: summary.Title(spec, "Distances: verdict on each printed correlation"),
		Columns: []table.Column{{Name: "data set", Key: true}, {Name: "distances", Key: true}, {Name: paper.VerdictColumn}, {Name: "paper", Right: true},
			{Name: "ours", Right: true, Spread: true}, {Name: "95 % from", Right: true}, {Name: "to", Right: true},
			{Name: "seeds", Right: true}, {Name: "remark"}},
		Notes: []string{paper.CountOutcomes(verdicts).Sentence(unasked),
			"Reproduced: the 95 % interval of ours - paper (Student's t over the seeds; the paper gives no deviation) holds 0, or they differ by at most one unit of the paper's last " +
				"digit, which it partly rounds and partly cuts, and it is at most 0.06 wide; not settled: the same and wider; else higher or lower."},
	}
	for _, v := range verdicts {
		row := []table.Cell{table.Txt(v.Dataset), table.Txt(v.Row), table.Txt(string(v.Outcome)), table.Num(v.Paper, -1), table.None(), {}, {}, {}, {}}
		if v.Outcome != paper.NoRun {
			row[4] = paper.Stat{Mean: v.Ours, Std: v.OursStd, N: v.Seeds}.Cell(v.Mark)
			row[4].Decimals = CorrelationDecimals
			row[7] = table.Int(v.Seeds)
		}
		if v.HasInterval {
			row[5], row[6] = table.Num(v.Low, CorrelationDecimals), table.Num(v.High, CorrelationDecimals)
		}
		if v.Remark != "" {
			row[8] = table.Txt(v.Remark)
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = append(t.Notes, table.MarkNotes(t)...)
	return t
}

const CorrelationDecimals = 4
