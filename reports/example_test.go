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
	// data set,method,paper,paper std,chosen,chosen std,chosen mark,chosen - paper,chosen - paper mark,repetitions,95 % from,to,width,verdict,remark,configurations,chosen by highest Rand Index
	// MUTAG,GDL,70.02,0.29,71,1,*,0.980000000000004,*,2 of 3,-10.68900207747195,12.649002077471957,23.338004154943906,not settled,"2 of 3 repetitions; 0 of 1 configurations finished; more repetitions would help: about 3, if ours keeps its spread",0 of 1,the only one
}
