package plots_test

import (
	"fmt"

	"ogdl/reports/plots"
)

// A panel with two series, its numbers beside it.
func ExampleFiles() {
	epochs := []float64{1, 2, 3}
	files, err := plots.Files(plots.Figure{
		Name:  "loss",
		Title: "Mean loss per epoch",
		Alt:   "The loss falls from 0.18 to 0.10 without the penalty, and to 0.09 with it.",
		Panels: []plots.Panel{plots.XY{
			XLabel: "epoch", YLabel: "mean loss",
			Series: []plots.Series{
				{Name: "lambda = 0", X: epochs, Y: []float64{0.18, 0.12, 0.10}, Style: plots.LinePoints},
				{Name: "lambda = 0.01", X: epochs, Y: []float64{0.17, 0.11, 0.09}, Style: plots.LinePoints},
			},
		}},
		Data: []plots.Data{{Header: []string{"epoch", "loss"}, Rows: [][]string{{"1", "0.18"}, {"2", "0.12"}, {"3", "0.10"}}}},
	})
	if err != nil {
		fmt.Println(err)
	}
	for _, f := range files {
		fmt.Println(f.Name)
	}
	// Output:
	// loss.svg
	// loss.pdf
	// loss.csv
}
