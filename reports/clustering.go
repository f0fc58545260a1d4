package reports

import (
	"fmt"
	"iter"
	"slices"

	"ogdl/internal/record"
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
func Clustering(f *Frame) []Table {
	k, spec, rows := f.kind, f.Spec, f.lines
	with, without := byClasses(rows)
	var tabs []Table
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
	return append(tabs, configurationsTable(k, spec, rows), cellsTable(k, spec, f.lines))
}

// mainTable sets the chosen configuration of every row beside the paper's number: what it was
// chosen for, what it scores on fresh repetitions where they confirm it, and the verdict.
func mainTable(k kind, spec Spec, rows []*line) Table {
	t := Table{
		Name:  k.name,
		Title: title(spec, k.title+": Rand Index in percent, mean (std) over seeds"),
		Columns: []Column{
			{Name: "data set", Key: true}, {Name: "method", Key: true},
			{Name: "paper", Right: true, Spread: true}, {Name: "chosen", Right: true, Spread: true},
			{Name: "chosen - paper", Right: true}, {Name: "seeds", Right: true},
		},
	}
	if spec.Confirm > 0 {
		t.Columns = append(t.Columns, Column{Name: "confirmed", Right: true, Spread: true}, Column{Name: "confirmed - paper", Right: true},
			Column{Name: "fresh seeds", Right: true})
	}
	verdicts, unasked := clusteringVerdicts(k, rows)
	if len(verdicts) > 0 {
		t.Columns = append(t.Columns, Column{Name: "95 % from", Right: true}, Column{Name: "to", Right: true}, Column{Name: "width", Right: true},
			Column{Name: verdictColumn}, Column{Name: "remark"})
	}
	t.Columns = append(t.Columns, Column{Name: "configurations", Right: true}, Column{Name: "chosen by highest Rand Index"})
	of := map[[2]string]Verdict{}
	for _, v := range verdicts {
		of[[2]string{v.Dataset, v.Row}] = v
	}
	for _, s := range rows {
		p, printed := k.score(s.method, s.dataset)
		paper := Cell{}
		if printed {
			paper = MeanStd(p.Mean, p.Std)
		}
		less := func(ours Cell) Cell {
			switch {
			case !printed:
				return Cell{}
			case ours.Kind != Number:
				return None()
			}
			diff := Diff(ours.Value - p.Mean)
			diff.Mark = ours.Mark
			return diff
		}
		chosen := s.cellOf(s.oracle, "ri")
		row := []Cell{Txt(s.dataset), Txt(s.method), paper, chosen, less(chosen), s.seeds(s.oracle)}
		if spec.Confirm > 0 {
			fresh := s.oracle.confirmedCell("ri")
			row = append(row, fresh, less(fresh), s.oracle.freshSeeds())
		}
		if len(verdicts) > 0 {
			v := of[[2]string{k.printed.datasetName(s.dataset), s.method}]
			row = append(row, v.intervalCells()...)
			row = append(row, textOrBlank(string(v.Outcome)), textOrBlank(v.Remark))
		}
		t.Rows = append(t.Rows, append(row, count(s.complete, len(s.configs)), s.describe(s.oracle)))
	}
	t.Notes = append(t.Notes, "Chosen: the configuration with the highest mean Rand Index, as in the paper: a choice "+
		"made with the labels. (std) is the population standard deviation over seeds, as in the paper's code.")
	if spec.Confirm > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("Confirmed: the chosen configuration on %s more of each base seed, by which it was not chosen. ", plural(spec.Confirm, "repetition", "repetitions"))+
			"They are computed when all cells of the row are there.")
	}
	if len(verdicts) > 0 {
		t.Notes = append(t.Notes, CountOutcomes(verdicts).Sentence(unasked), verdictRule, intervalNote)
		if spec.Confirm > 0 {
			t.Notes = append(t.Notes, selectionRule)
		}
	}
	t.Notes = append(t.Notes, elsewhere(k, rows)...)
	t.Notes = append(t.Notes, markNotes(t)...)
	t.Notes = append(t.Notes, degenerateNotes(rows)...)
	t.Notes = append(t.Notes, incompleteNotes(rows)...)
	t.Notes = append(t.Notes, statusNotes(rows)...)
	t.Notes = append(t.Notes, seedNotes(rows)...)
	t.Notes = append(t.Notes, warnings(rows)...)
	return t
}

func carefulTable(k kind, spec Spec, rows []*line) Table {
	t := Table{
		Name:  k.name + "_careful",
		Title: title(spec, k.title+" for a careful reader: percent, mean (std) over seeds"),
		Columns: []Column{
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
			t.Columns = append(t.Columns, Column{Name: "RI confirmed " + which, Right: true, Spread: true},
				Column{Name: "ARI confirmed " + which, Right: true, Spread: true}, Column{Name: "fresh seeds " + which, Right: true})
		}
	}
	var notes []string
	for _, s := range rows {
		one, w1 := s.level("trivial_one")
		random, w2 := s.level("trivial_independent")
		free, stable := s.free.configuration, s.none()
		if free != nil {
			stable = s.percent(free, free.stability)
		}
		row := []Cell{
			Txt(s.dataset), Txt(s.method), one, random,
			s.cellOf(s.oracle, "ri"), s.cellOf(s.oracle, "ari"), s.largest(s.oracle), s.seeds(s.oracle),
			s.cellOf(free, "ri"), s.cellOf(free, "ari"), s.largest(free), s.seeds(free),
			stable, s.describe(free),
		}
		if spec.Confirm > 0 {
			for _, c := range []*configuration{s.oracle, free} {
				row = append(row, c.confirmedCell("ri"), c.confirmedCell("ari"), c.freshSeeds())
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
	t.Notes = append(t.Notes, markNotes(t)...)
	t.Notes = append(t.Notes, notes...)
	return t
}

func convergenceTable(k kind, spec Spec, rows []*line) Table {
	t := Table{
		Name:  k.name + "_convergence",
		Title: title(spec, k.title+": how the solves ended"),
		Columns: []Column{
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
		add := func(which string, runs iter.Seq[Run]) {
			sum, marginal := convergenceOf(runs)
			row := append([]Cell{Txt(s.dataset), Txt(s.method), Txt(which)}, solveCells(sum)...)
			switch {
			case sum == nil:
				row = append(row, None(), None())
			default:
				gap := Cell{}
				if sum.MaxGap != 0 {
					gap = Num(sum.MaxGap, -1)
				}
				row = append(row, gap, marginal)
			}
			t.Rows = append(t.Rows, row)
		}
		of := func(c *configuration) iter.Seq[Run] {
			if c == nil {
				return slices.Values([]Run(nil))
			}
			return slices.Values(c.runs)
		}
		if !s.unlabelled() {
			add("chosen with labels", of(s.oracle))
		}
		if s.free.configuration != nil || s.complete < len(s.configs) {
			add("chosen without labels", of(s.free.configuration))
		}
		add("all", s.all())
	}
	return t
}

// convergenceOf sums up the solves of the finished runs and of the products that they
// rest on; nil if there is none. The cell is their largest marginal error, blank
// where none is recorded.
func convergenceOf(runs iter.Seq[Run]) (sum *record.Convergence, marginal Cell) {
	products := map[string]bool{}
	count := func(c record.Convergence) {
		sum.Solves += c.Solves
		sum.CapHits += c.CapHits
		sum.Iterations += c.Iterations
		sum.MaxGap = max(sum.MaxGap, c.MaxGap)
	}
	for r := range runs {
		if !r.ok() {
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
		if v, ok := r.score("max_marginal_error"); ok && (marginal.Kind == Blank || v > marginal.Value) {
			marginal = Num(v, -1)
		}
	}
	return sum, marginal
}
