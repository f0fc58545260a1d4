package gdl_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"slices"

	"ogdl/gdl"
)

// Learn from a stream whose graphs change half way, stop for a while, and go on
// from a checkpoint. The detector finds the change.
func ExampleOnline() {
	ctx := context.Background()
	graphs := slices.Concat(dense(1, 400), sparse(2, 400))
	set := gdl.OnlineSettings{
		StepC:    0.05,
		Detector: &gdl.ChangePointSettings{RunLength: 1e6, Window: 200},
		Every:    200,
		OnEvent: func(e gdl.Event) {
			switch e.Kind {
			case gdl.StepLoss:
				fmt.Printf("step %d: loss %.2f\n", e.Step, e.Loss)
			case gdl.ChangePoint:
				fmt.Printf("step %d: a change at step %d or so\n", e.Step, e.Onset)
			}
		},
	}
	start, err := gdl.InitRandom(2, 6, 0, 1, source(3))
	if err != nil {
		log.Fatal(err)
	}
	o, err := gdl.NewOnline(start, &set)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := o.Run(ctx, stream(graphs), 300); err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if err := o.WriteCheckpoint(&file); err != nil {
		log.Fatal(err)
	}

	o, err = gdl.ReadCheckpoint(bytes.NewReader(file.Bytes()), int64(file.Len()), &set)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := o.Run(ctx, stream(graphs[o.Graphs():]), 0); err != nil { // a limit of 0: to the end
		log.Fatal(err)
	}
	fmt.Println(o.Steps(), "steps")
	// Output:
	// step 200: loss 0.12
	// step 400: loss 0.11
	// step 407: a change at step 401 or so
	// step 600: loss 0.59
	// step 800: loss 0.37
	// 800 steps
}
