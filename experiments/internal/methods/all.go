// Package methods has the table of all methods of the program.
package methods

import (
	"ogdl/experiments/internal/classify"
	"ogdl/experiments/internal/method"
)

// All returns that table. It is a function, not a variable, so that nothing
// can change it behind a run's back.
func All() method.Table { return append(method.Rows(), classify.Rows()...) }
