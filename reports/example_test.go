package reports_test

import (
	"fmt"
	"os"

	"ogdl/internal/record"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

// A grid of one configuration and three repetitions, of which two have run.
func ExampleClustering() {
	var runs []summary.Run
	for rep, ri := range []float64{0.70, 0.72, 0} {
		cell := summary.Run{Expected: summary.Expected{
			ID: fmt.Sprintf("0000000%d", rep), Method: "GDL", Dataset: "MUTAG",
			Params: map[string]any{"lambda": 0, "alpha": 0.995}, BaseSeed: 1, Repetition: rep,
		}}
		if rep < 2 {
			cell.Record = &record.Record{
				ID: cell.ID, Status: record.OK, Method: cell.Method, Dataset: cell.Dataset,
				Scores: map[string]float64{"ri": ri},
			}
		}
		runs = append(runs, cell)
	}
	frame := summary.NewFrame(summary.Spec{Name: "example"}, runs, nil)
	tab := tables.Clustering(frame)[0]
	tab.Notes = nil
	if err := table.CSV(os.Stdout, tab); err != nil {
		fmt.Println(err)
	}
	// Output:
	// dataset,method,paper_mean,paper_std,paper_n,chosen_mean,chosen_std,chosen_n,verdict,chosen_minus_paper,repetitions,repetitions_asked,interval_low,interval_high,interval_width,configurations,configurations_asked,alpha,lambda
	// MUTAG,GDL,70.02,0.29,5,71,1,2,undecided,0.980000000000004,2,3,-10.68900207747195,12.649002077471957,23.338004154943906,0,1,0.995,0
}
