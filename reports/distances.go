package reports

import (
	"math"
	"strings"
)

// What [FigureDistances] compares over all pairs of graphs. They are names of
// arrays in a cell's npz: vectors of n(n-1)/2 distances, the upper triangle of the n x n
// matrix row by row, all roots of their objectives.
const (
	DistancesGraphs     = distancesPrefix + "graphs"     // (F)GW distance between graphs
	DistancesModels     = distancesPrefix + "models"     // (F)GW distance between embedded graphs
	DistancesEmbeddings = distancesPrefix + "embeddings" // Mahalanobis distance between embeddings
	// DistancesClasses holds the class of every graph, where there are classes.
	DistancesClasses = "classes"

	distancesPrefix = "distances_"
)

// Scores that a cell leaves beside the correlations (see [DistancePair.Score]).
const (
	// BoundViolations counts the pairs whose embedded graphs are further apart than their
	// embeddings, by more than rounding: Proposition 1 says that there are none.
	BoundViolations = "bound_violations"
	// BoundAttained is the share of pairs whose two distances are equal.
	BoundAttained = "bound_attained"
)

// Coefficients of [DistancePair.Score].
const (
	CoefficientPearson  = "pearson"
	CoefficientSpearman = "spearman"
	CoefficientWithin   = "pearson_within"  // over the pairs of one class
	CoefficientBetween  = "pearson_between" // over the pairs of two classes
)

// DistancePair names two of the vectors.
type DistancePair struct{ X, Y string }

// DistancePairs are the pairs in the order of the paper's figure, from left to right.
func DistancePairs() []DistancePair {
	return []DistancePair{{DistancesGraphs, DistancesModels}, {DistancesGraphs, DistancesEmbeddings}, {DistancesModels, DistancesEmbeddings}}
}

// Score is the name of a coefficient of the two among a record's scores:
// "pearson_graphs_models".
func (p DistancePair) Score(coefficient string) string {
	return coefficient + "_" + p.key()
}

func (p DistancePair) key() string { return distancesWord(p.X) + "_" + distancesWord(p.Y) }

func distancesWord(name string) string { return strings.TrimPrefix(name, distancesPrefix) }

// distancesText says what one of the vectors holds.
func distancesText(name string) string {
	switch name {
	case DistancesGraphs:
		return "GW, graphs"
	case DistancesModels:
		return "GW, embedded graphs"
	}
	return "Mahalanobis, embeddings"
}

// over is the mean of a score over the runs that ended well and have it, whether they
// were clustered or not.
func (c *configuration) over(name string) stat {
	var values []float64
	for _, r := range c.runs {
		if v, ok := r.score(name); ok {
			values = append(values, v)
		}
	}
	return statOf(values)
}

// spread is the mean and deviation with so many decimals, marked where seeds are missing.
func (c *configuration) spread(name string, decimals int) Cell {
	s := c.over(name)
	if s.n == 0 {
		return None()
	}
	mark := ""
	if s.n < len(c.runs) {
		mark = MarkSeeds
	}
	out := s.cell(mark)
	out.Decimals = decimals
	return out
}

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

// digit is one unit of the last printed digit.
func (p PrintedCorrelation) digit() float64 { return math.Pow(10, -float64(p.Decimals)) }

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
