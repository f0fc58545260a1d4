package reports

// distanceVerdicts compare the correlations that the paper prints with those of the
// configuration with the least lambda on the data set: the paper's figure names none.
func distanceVerdicts(f *Frame) (asked []Verdict, unasked int) {
	printed := PaperNumbers()
	plain := map[string]*configuration{}
	for _, l := range f.lines {
		for _, c := range l.configs {
			name := printed.datasetName(l.dataset)
			if best := plain[name]; best == nil || c.params.at(paramLambda).number < best.params.at(paramLambda).number {
				plain[name] = c
			}
		}
	}
	for _, p := range printed.Correlations {
		pair := DistancePair{distancesPrefix + p.X, distancesPrefix + p.Y}
		v := Verdict{Dataset: p.Dataset, Row: distancesText(pair.X) + " - " + distancesText(pair.Y), Quantity: "Pearson correlation", Paper: p.Pearson, Outcome: NoRun}
		c := plain[p.Dataset]
		if c == nil {
			unasked++
			continue
		}
		s := c.over(pair.Score(CoefficientPearson))
		if s.n == 0 {
			v.Remark = "no cell of it has ended well"
			asked = append(asked, v)
			continue
		}
		v.Ours, v.OursStd, v.Seeds = s.mean, s.std, s.n
		if s.n < len(c.runs) {
			v.Mark = MarkSeeds
		}
		i := student(s, p.Pearson)
		v.Low, v.High, v.HasInterval = i.low, i.high, i.known
		v.Outcome = i.judge(p.digit(), widestReproduced/100.)
		if v.Outcome == NoVerdict {
			v.Remark = "one repetition has no interval; "
		}
		if x, ok := c.params.get(paramLambda); ok {
			v.Remark += "lambda " + x.text + "; the paper does not say"
		}
		asked = append(asked, v)
	}
	if len(asked) == 0 {
		return nil, 0
	}
	return asked, unasked
}

// distanceVerdictTable is the table of [distanceVerdicts].
func distanceVerdictTable(spec Spec, verdicts []Verdict, unasked int) Table {
	t := Table{
		Name:  "distances_verdict",
		Title: title(spec, "Distances: verdict on each printed correlation"),
		Columns: []Column{{Name: "data set", Key: true}, {Name: "distances", Key: true}, {Name: verdictColumn}, {Name: "paper", Right: true},
			{Name: "ours", Right: true, Spread: true}, {Name: "95 % from", Right: true}, {Name: "to", Right: true},
			{Name: "seeds", Right: true}, {Name: "remark"}},
		Notes: []string{CountOutcomes(verdicts).Sentence(unasked),
			"Reproduced: the 95 % interval of ours - paper (Student's t over the seeds; the paper gives no deviation) holds 0, or they differ by at most one unit of the paper's last " +
				"digit, which it partly rounds and partly cuts, and it is at most 0.06 wide; not settled: the same and wider; else higher or lower."},
	}
	for _, v := range verdicts {
		row := []Cell{Txt(v.Dataset), Txt(v.Row), Txt(string(v.Outcome)), Num(v.Paper, -1), None(), {}, {}, {}, {}}
		if v.Outcome != NoRun {
			row[4] = stat{v.Ours, v.OursStd, v.Seeds}.cell(v.Mark)
			row[4].Decimals = correlationDecimals
			row[7] = Int(v.Seeds)
		}
		if v.HasInterval {
			row[5], row[6] = Num(v.Low, correlationDecimals), Num(v.High, correlationDecimals)
		}
		if v.Remark != "" {
			row[8] = Txt(v.Remark)
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = append(t.Notes, markNotes(t)...)
	return t
}

const correlationDecimals = 4
