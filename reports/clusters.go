package reports

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ogdl/internal/record"
	"ogdl/reports/page"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// ClustersFolder is the folder of the clusters of the graphs, in a report's: a CSV for each configuration that a row of a clustering table
// has chosen.
const ClustersFolder = "clusters"

// Clusterings say what became of the graphs of cells, one by one, which frames do not hold.
type Clusterings struct {
	// Of are the clusters of the graphs of a run; nil where nobody knows them any more.
	Of func(summary.Run) (record.Labels, error)
	// Classes are the classes of the same graphs in the data; nil where they cannot be told.
	Classes func(summary.Run) []string
}

// clusters adds the CSV of every selected setting and returns the links to it. It omits settings
// whose clusters are not known or cannot be read, and names them in the error.
func (f *Folder) clusters(frame *summary.Frame, from Clusterings) (links []page.Clusters, err error) {
	if from.Of == nil || !summary.IsClustering(frame.Table) {
		return nil, nil
	}
	type chosen struct {
		*summary.Config
		what string
	}
	var all []chosen
	var names []string
	for _, row := range frame.Rows {
		what, name := row.Dataset+" "+row.Method, strings.Trim(plots.FileWord(row.Dataset)+"-"+plots.FileWord(row.Method), "-")
		with := row.Shown()
		if with != nil {
			all, names = append(all, chosen{with, what}), append(names, name)
		}
		if free := row.Free; free != nil && free != with {
			all, names = append(all, chosen{free, what + ", selected without labels"}), append(names, name+"-without_labels")
		}
	}
	var problems []error
	lost := 0
	for i, name := range plots.DistinctNames(names) {
		x := all[i]
		runs := slices.Collect(x.Everything())
		if len(summary.Clustered(runs)) == 0 {
			continue
		}
		t, err := clustersTable(runs, from)
		if err != nil {
			problems = append(problems, fmt.Errorf("clusters of %s: %w", x.what, err))
			continue
		}
		link := page.Clusters{Row: x.what}
		if t == nil {
			lost++ // the page names it
		} else {
			link.File = ClustersFolder + "/" + name + table.CSVEnding
			if err := f.AddTable(link.File, table.AsCSV(), *t); err != nil {
				return nil, err
			}
		}
		links = append(links, link)
	}
	if lost > 0 {
		problems = append(problems, fmt.Errorf("clusters of %d rows: only the ledger has these cells", lost))
	}
	return links, errors.Join(problems...)
}

// clustersTable has a row for each graph: its class, and its cluster in each run. nil: nobody knows any.
func clustersTable(runs []summary.Run, from Clusterings) (*table.Table, error) {
	slices.SortFunc(runs, func(a, b summary.Run) int {
		return cmp.Or(cmp.Compare(a.BaseSeed, b.BaseSeed), cmp.Compare(a.Repetition, b.Repetition))
	})
	t := &table.Table{Name: ClustersFolder, Columns: table.Columns{{Title: "graph", Right: true}, {Title: "class"}}}
	seeds := runs[0].BaseSeed != runs[len(runs)-1].BaseSeed
	labels, graphs := make([]record.Labels, len(runs)), 0
	var classes []string
	seen := map[string]bool{} // data
	for i, r := range runs {
		name := fmt.Sprintf("repetition_%d", r.Repetition)
		if seeds {
			name = fmt.Sprintf("seed_%d_%s", r.BaseSeed, name)
		}
		t.Columns = append(t.Columns, table.Column{Title: name, Right: true})
		if len(summary.Clustered(runs[i:i+1])) == 0 {
			continue
		}
		of, err := from.Of(r)
		if err != nil {
			return nil, err
		}
		labels[i], graphs = of, max(graphs, len(of))
		if of == nil || r.Confirm || seen[r.Record.Digest] {
			continue
		}
		found := from.Classes(r)
		if len(seen) > 0 && !slices.Equal(found, classes) { // drawn anew for each base seed
			found = nil
		}
		classes, seen[r.Record.Digest] = found, true
	}
	if graphs == 0 {
		return nil, nil
	}
	for k := range graphs {
		row := make([]table.Cell, len(t.Columns))
		row[0] = table.Int(k)
		if k < len(classes) {
			row[1] = table.Txt(classes[k])
		}
		for i, of := range labels {
			if k < len(of) {
				row[2+i] = table.Int(int(of[k]))
			}
		}
		t.Add(row)
	}
	return t, nil
}
