package nested_test

import (
	"context"
	"strings"
	"testing"

	"ogdl/eval/nested"
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
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	check("split is nil", err)
	_, err = nested.Search(ctx, nil, labels, &nested.Split{}, nil)
	check("kernel is nil", err)
	_, err = nested.Stratified(labels, 2, nil)
	check("src is nil", err)
	_, err = nested.Drawn(labels, nested.Folds, nil)
	check("src is nil", err)
	_, err = nested.Classify(ctx, make([]float64, 8), 1, labels, nil, nil)
	check("src is nil", err)
}
