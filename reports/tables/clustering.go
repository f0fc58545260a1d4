package tables

import (
	"fmt"
	"iter"
	"slices"

	"ogdl/internal/record"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Clustering turns what the cells of a clustering run left into its tables. Their names
// begin with that of their kind, here for spec.Table = [TableClustering]:
//
//   - clustering: the paper's Rand Index beside ours, for the configuration with the
//     highest mean Rand Index (the paper's choice), what that scores on fresh repetitions where
//     spec.Confirm asks for them, the interval of the difference and the verdict;
//   - clustering_careful: the same with adjusted Rand Index, trivial levels and the
//     size of the largest cluster, and what the configuration chosen without labels
//     scores;
//   - clustering_unlabelled: in place of these two for data sets without classes, the configuration chosen
//     without labels with its objective, stability and sizes of clusters;
//   - clustering_convergence: how the solves behind those numbers ended;
//   - clustering_layout: all that the paper prints, laid out as it is there, with
//     ours below (left out where the configuration has none of its data sets);
//   - clustering_configurations: every configuration, averaged over seeds;
//   - clustering_cells: every cell with its id and status.
//
// Scores are in percent. Records read the scores "ri", "ari", "objective",
// "eigengap" (spectral clustering), "trivial_one" and "trivial_independent" (Rand
// Indices as fractions); a cell without a status ok counts as not done, and a data set has no classes where
// cells are done and none has an "ri".
//
// Rows: GDL and GDL_h are GDL_lambda and GDL_h_lambda where the parameter
// "lambda" is positive, and have rows of their own, such as "GDL, sorted start", where
// the parameter "unmix_starts" names more than one start. In the tables of [TableGWKMeans], cells whose parameter
// "cluster_by" is there and not "gw_kmeans" have rows of their own, and so have
// those where it is in all other tables.
func Clustering(f *summary.Frame) []table.Table {
	k, spec, rows := f.Kind, f.Spec, f.Rows
	with, without := byClasses(rows)
	var tabs []table.Table
	if len(with) > 0 || len(without) == 0 {
		tabs = append(tabs, mainTable(k, spec, with))
	}
	if len(without) > 0 {
		tabs = append(tabs, unlabelledTable(k, spec, without))
	}
	if len(with) > 0 || len(without) == 0 {
		tabs = append(tabs, carefulTable(k, spec, with))
	}
	tabs = append(tabs, convergenceTable(k, spec, rows))
	if t, ok := layoutTable(k, spec, with); ok {
		tabs = append(tabs, t)
	}
	return append(tabs, configurationsTable(k, spec, rows), cellsTable(k, spec, f.Rows))
}

// mainTable sets the chosen configuration of every row beside the paper's number: what it was
// chosen for, what it scores on fresh repetitions where they confirm it, and the verdict.
func mainTable(k summary.Kind, spec summary.Spec, rows []*summary.Row) table.Table {
	t := table.Table{
		Name:  k.Name,
		Title: summary.Title(spec, k.Title+": Rand Index in percent, mean (std) over seeds"),
		Columns: []table.Column{
			{Name: "data set", Key: true}, {Name: "method", Key: true},
			{Name: "paper", Right: true, Spread: true}, {Name: "chosen", Right: true, Spread: true},
			{Name: "chosen - paper", Right: true}, {Name: "seeds", Right: true},
		},
	}
	if spec.Confirm > 0 {
		t.Columns = append(t.Columns, table.Column{Name: "confirmed", Right: true, Spread: true}, table.Column{Name: "confirmed - paper", Right: true},
			table.Column{Name: "fresh seeds", Right: true})
	}
	verdicts, unasked := clusteringVerdicts(k, rows)
	if len(verdicts) > 0 {
		t.Columns = append(t.Columns, table.Column{Name: "95 % from", Right: true}, table.Column{Name: "to", Right: true}, table.Column{Name: "width", Right: true},
			table.Column{Name: paper.VerdictColumn}, table.Column{Name: "remark"})
	}
	t.Columns = append(t.Columns, table.Column{Name: "configurations", Right: true}, table.Column{Name: "chosen by highest Rand Index"})
	of := map[[2]string]paper.Verdict{}
	for _, v := range verdicts {
		of[[2]string{v.Dataset, v.Row}] = v
	}
	for _, s := range rows {
		p, printed := k.Score(s.Method, s.Dataset)
		paper := table.Cell{}
		if printed {
			paper = table.MeanStd(p.Mean, p.Std)
		}
		less := func(ours table.Cell) table.Cell {
			switch {
			case !printed:
				return table.Cell{}
			case ours.Kind != table.Number:
				return table.None()
			}
			diff := table.Diff(ours.Value - p.Mean)
			diff.Mark = ours.Mark
			return diff
		}
		chosen := s.CellOf(s.Oracle, "ri")
		row := []table.Cell{table.Txt(s.Dataset), table.Txt(s.Method), paper, chosen, less(chosen), s.Seeds(s.Oracle)}
		if spec.Confirm > 0 {
			fresh := s.Oracle.ConfirmedCell("ri")
			row = append(row, fresh, less(fresh), s.Oracle.FreshSeeds())
		}
		if len(verdicts) > 0 {
			v := of[[2]string{k.Printed.DatasetName(s.Dataset), s.Method}]
			row = append(row, v.IntervalCells()...)
			row = append(row, table.TextOrBlank(string(v.Outcome)), table.TextOrBlank(v.Remark))
		}
		t.Rows = append(t.Rows, append(row, table.Count(s.Complete, len(s.Configs)), s.Describe(s.Oracle)))
	}
	t.Notes = append(t.Notes, "Chosen: the configuration with the highest mean Rand Index, as in the paper: a choice "+
		"made with the labels. (std) is the population standard deviation over seeds, as in the paper's code.")
	if spec.Confirm > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("Confirmed: the chosen configuration on %s more of each base seed, by which it was not chosen. ", table.Plural(spec.Confirm, "repetition", "repetitions"))+
			"They are computed when all cells of the row are there.")
	}
	if len(verdicts) > 0 {
		t.Notes = append(t.Notes, paper.CountOutcomes(verdicts).Sentence(unasked), paper.VerdictRule, paper.IntervalNote)
		if spec.Confirm > 0 {
			t.Notes = append(t.Notes, paper.SelectionRule)
		}
	}
	t.Notes = append(t.Notes, elsewhere(k, rows)...)
	t.Notes = append(t.Notes, table.MarkNotes(t)...)
	t.Notes = append(t.Notes, degenerateNotes(rows)...)
	t.Notes = append(t.Notes, incompleteNotes(rows)...)
	t.Notes = append(t.Notes, statusNotes(rows)...)
	t.Notes = append(t.Notes, seedNotes(rows)...)
	t.Notes = append(t.Notes, warnings(rows)...)
	return t
}

func carefulTable(k summary.Kind, spec summary.Spec, rows []*summary.Row) table.Table {
	t := table.Table{
		Name:  k.Name + "_careful",
		Title: summary.Title(spec, k.Title+" for a careful reader: percent, mean (std) over seeds"),
		Columns: []table.Column{
			{Name: "data set", Key: true}, {Name: "method", Key: true},
			{Name: "RI one cluster", Right: true}, {Name: "RI random", Right: true},
			{Name: "RI with labels", Right: true, Spread: true}, {Name: "ARI with labels", Right: true, Spread: true},
			{Name: "largest with labels", Right: true}, {Name: "seeds with labels", Right: true},
			{Name: "RI without labels", Right: true, Spread: true}, {Name: "ARI without labels", Right: true, Spread: true},
			{Name: "largest without labels", Right: true}, {Name: "seeds without labels", Right: true},
			{Name: "stability", Right: true}, {Name: "chosen without labels"},
		},
	}
	if spec.Confirm > 0 {
		for _, which := range []string{"with labels", "without labels"} {
			t.Columns = append(t.Columns, table.Column{Name: "RI confirmed " + which, Right: true, Spread: true},
				table.Column{Name: "ARI confirmed " + which, Right: true, Spread: true}, table.Column{Name: "fresh seeds " + which, Right: true})
		}
	}
	var notes []string
	for _, s := range rows {
		one, w1 := s.Level("trivial_one")
		random, w2 := s.Level("trivial_independent")
		free, stable := s.Free.Config, s.None()
		if free != nil {
			stable = s.Percent(free, free.Stability)
		}
		row := []table.Cell{
			table.Txt(s.Dataset), table.Txt(s.Method), one, random,
			s.CellOf(s.Oracle, "ri"), s.CellOf(s.Oracle, "ari"), s.Largest(s.Oracle), s.Seeds(s.Oracle),
			s.CellOf(free, "ri"), s.CellOf(free, "ari"), s.Largest(free), s.Seeds(free),
			stable, s.Describe(free),
		}
		if spec.Confirm > 0 {
			for _, c := range []*summary.Config{s.Oracle, free} {
				row = append(row, c.ConfirmedCell("ri"), c.ConfirmedCell("ari"), c.FreshSeeds())
			}
		}
		t.Rows = append(t.Rows, row)
		notes = append(notes, w1...)
		notes = append(notes, w2...)
		notes = append(notes, freeNotes(s)...)
	}
	t.Notes = append(t.Notes,
		"RI one cluster, RI random: the Rand Index of putting all graphs into one cluster, and of independent "+
			"random labels. ARI: adjusted Rand Index, 0 for independent labels.",
		"With labels: the configuration with the highest mean Rand Index, as in the paper. "+choiceNote,
		"Largest: share of the graphs in the largest cluster, mean over seeds.",
		"(std) is the population standard deviation over seeds.")
	if spec.Confirm > 0 {
		t.Notes = append(t.Notes, "Confirmed: on repetitions by which the configuration was not chosen.")
	}
	t.Notes = append(t.Notes, table.MarkNotes(t)...)
	t.Notes = append(t.Notes, notes...)
	return t
}

func convergenceTable(k summary.Kind, spec summary.Spec, rows []*summary.Row) table.Table {
	t := table.Table{
		Name:  k.Name + "_convergence",
		Title: summary.Title(spec, k.Title+": how the solves ended"),
		Columns: []table.Column{
			{Name: "data set", Key: true}, {Name: "method", Key: true}, {Name: "configuration", Key: true},
			{Name: "solves", Right: true}, {Name: "at cap, %", Right: true}, {Name: "mean iterations", Right: true},
			{Name: "largest gap", Right: true}, {Name: "largest marginal error", Right: true},
		},
		Notes: []string{"At cap: share of the solves that stopped at their iteration limit. Largest gap: of the conditional " +
			"gradient's duality gap, in units of the objective, and largest marginal error: of the couplings of the proximal " +
			"point algorithm, where a method records it. All: over every finished cell of the row. The solves of a product that " +
			"cells share, such as a matrix of distances, count once in a row."},
	}
	for _, s := range rows {
		add := func(which string, runs iter.Seq[summary.Run]) {
			sum, marginal := convergenceOf(runs)
			row := append([]table.Cell{table.Txt(s.Dataset), table.Txt(s.Method), table.Txt(which)}, solveCells(sum)...)
			switch {
			case sum == nil:
				row = append(row, table.None(), table.None())
			default:
				gap := table.Cell{}
				if sum.MaxGap != 0 {
					gap = table.Num(sum.MaxGap, -1)
				}
				row = append(row, gap, marginal)
			}
			t.Rows = append(t.Rows, row)
		}
		of := func(c *summary.Config) iter.Seq[summary.Run] {
			if c == nil {
				return slices.Values([]summary.Run(nil))
			}
			return slices.Values(c.Runs)
		}
		if !s.Unlabelled() {
			add("chosen with labels", of(s.Oracle))
		}
		if s.Free.Config != nil || s.Complete < len(s.Configs) {
			add("chosen without labels", of(s.Free.Config))
		}
		add("all", s.All())
	}
	return t
}

// convergenceOf sums up the solves of the finished runs and of the products that they
// rest on; nil if there is none. The cell is their largest marginal error, blank
// where none is recorded.
func convergenceOf(runs iter.Seq[summary.Run]) (sum *record.Convergence, marginal table.Cell) {
	products := map[string]bool{}
	count := func(c record.Convergence) {
		sum.Solves += c.Solves
		sum.CapHits += c.CapHits
		sum.Iterations += c.Iterations
		sum.MaxGap = max(sum.MaxGap, c.MaxGap)
	}
	for r := range runs {
		if !r.OK() {
			continue
		}
		if sum == nil {
			sum = &record.Convergence{}
		}
		count(r.Record.Convergence)
		for _, u := range r.Record.Products {
			if !products[u.ID] {
				products[u.ID] = true
				count(u.Convergence)
			}
		}
		if v, ok := r.Score("max_marginal_error"); ok && (marginal.Kind == table.Blank || v > marginal.Value) {
			marginal = table.Num(v, -1)
		}
	}
	return sum, marginal
}
