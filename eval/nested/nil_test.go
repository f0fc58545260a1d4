package nested_test

import (
	"context"
	"testing"

	"ogdl/eval/nested"
	"ogdl/internal/test/must"
)

// TestNil holds that nil arguments are errors that name the argument: they were nil dereferences.
func TestNil(t *testing.T) {
	ctx, labels := context.Background(), []int{0, 1, 0, 1, 0, 1, 0, 1}
	kernel, err := nested.Exponential(make([]float64, 64), 8)
	if err == nil {
		_, err = nested.Search(ctx, kernel, labels, nil, nil)
	}
	check := func(want string, err error) {
		t.Helper()
		must.Fail(t, err, want)
	}
	check("split is nil", err)
	check("kernel is nil", must.Err(nested.Search(ctx, nil, labels, &nested.Split{}, nil)))
	check("src is nil", must.Err(nested.Stratified(labels, 2, nil)))
	check("src is nil", must.Err(nested.Drawn(labels, nested.Folds, nil)))
	check("src is nil", must.Err(nested.Classify(ctx, make([]float64, 8), 1, labels, nil, nil)))
}
