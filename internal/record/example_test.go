package record_test

import (
	"fmt"
	"os"

	"ogdl/internal/record"
)

func Example() {
	dir, err := os.MkdirTemp("", "record")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	store, err := record.Open(dir)
	if err != nil {
		panic(err)
	}

	// The id depends on what a cell is, not on where it stands in a grid.
	params := map[string]any{"atoms": 4, "lambda": 0.001}
	id := record.ID(map[string]any{"method": "gdl", "dataset": "MUTAG", "params": params, "repetition": 0})

	r, err := store.Get(id)
	fmt.Println("before:", r, err)

	err = store.Put(&record.Record{
		ID: id, Status: record.OK, Method: "gdl", Dataset: "MUTAG", Params: params,
		Scores: map[string]float64{"ri": 0.7},
	}, &record.Timing{Seconds: 2.5}, nil)
	if err != nil {
		panic(err)
	}

	r, err = store.Get(id)
	fmt.Println("after:", err, r.Scores["ri"], "at lambda", r.Params["lambda"])
	// Output:
	// before: <nil> <nil>
	// after: <nil> 0.7 at lambda 0.001
}
