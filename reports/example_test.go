package reports_test

import (
	"fmt"
	"os"

	"ogdl/internal/record"
	"ogdl/reports"
)

// A grid of one configuration and three seeds, of which two have run.
func ExampleClustering() {
	spec := reports.Spec{Name: "example"}
	var recs []record.Record
	for rep, ri := range []float64{0.70, 0.72, 0} {
		cell := reports.Expected{
			ID: fmt.Sprintf("0000000%d", rep), Method: "GDL", Dataset: "MUTAG",
			Params: map[string]any{"lambda": 0, "alpha": 0.995}, BaseSeed: 1, Repetition: rep,
		}
		spec.Expected = append(spec.Expected, cell)
		if rep < 2 {
			recs = append(recs, record.Record{
				ID: cell.ID, Status: record.OK, Method: cell.Method, Dataset: cell.Dataset,
				Scores: map[string]float64{"ri": ri},
			})
		}
	}
	table := reports.Clustering(spec, recs)[0]
	table.Notes = nil
	if err := reports.CSV(os.Stdout, table); err != nil {
		fmt.Println(err)
	}
	// Output:
	// data set,method,paper,paper std,ours,ours std,ours mark,ours - paper,ours - paper mark,seeds,configurations,chosen by highest Rand Index
	// MUTAG,GDL,70.02,0.29,71,1,*,0.980000000000004,*,2 of 3,0 of 1,the only one
}
