// Package must serves tests alone: it ends a test at an unexpected error, and compares values, numbers and errors.
package must

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// TB is the common part of testing.TB and rapid.TB.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// Get returns v. It panics with err unless that is nil.
func Get[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Get2 is Get for two values.
func Get2[T, U any](v T, u U, err error) (T, U) {
	return Get(v, err), u
}

// First returns v alone of two values. It panics with err unless that is nil.
func First[T, U any](v T, _ U, err error) T { return Get(v, err) }

// Do ends the test with err unless that is nil.
func Do(t TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Err returns the error of a call that also returns a value.
func Err[T any](_ T, err error) error { return err }

// Err2 is Err for a call with two values.
func Err2[T, U any](_ T, _ U, err error) error { return err }

// Fail reports an err that is nil or whose text does not contain want. The words of name are printed in front.
func Fail(t TB, err error, want string, name ...any) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: error %v, want one with %q", fmt.Sprint(name...), err, want)
	}
}

// Check reports got unless it is want. The format and its args say what is compared.
func Check[T comparable](t TB, got, want T, format string, args ...any) {
	if got != want {
		t.Helper()
		t.Errorf("%s: %v, want %v", fmt.Sprintf(format, args...), got, want)
	}
}

// Equal is a Check that ends the test.
func Equal[T comparable](t TB, got, want T, format string, args ...any) {
	if got != want {
		t.Helper()
		t.Fatalf("%s: %v, want %v", fmt.Sprintf(format, args...), got, want)
	}
}

// Same is a Check of slices, maps and structures, unexported fields included. It shows their differences.
func Same(t TB, got, want any, format string, args ...any) {
	if reflect.DeepEqual(got, want) {
		return
	}
	if diff := cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
		t.Helper()
		t.Errorf("%s (-want +got):\n%s", fmt.Sprintf(format, args...), diff)
	}
}

// Within is a Check of numbers that may differ by tol. Not a number is within no tol.
func Within(t TB, got, want, tol float64, format string, args ...any) {
	if !(math.Abs(got-want) <= tol) {
		t.Helper()
		t.Errorf("%s: %v, want %v within %v", fmt.Sprintf(format, args...), got, want, tol)
	}
}

// Contain reports each of parts that is not in text.
func Contain(t TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in:\n%s", part, text)
		}
	}
}

// Panic reports each call that does not panic with a text that begins with prefix. An empty prefix allows every panic.
func Panic(t TB, prefix string, calls map[string]func()) {
	t.Helper()
	for name, call := range calls {
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.HasPrefix(fmt.Sprint(r), prefix) {
					t.Errorf("%s: recovered %v, want a panic that begins with %q", name, r, prefix)
				}
			}()
			call()
		}()
	}
}

// Near ends the test unless got has as many entries as want, and each is within tol of the other.
func Near(t TB, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d entries, want %d", what, len(got), len(want))
	}
	for k, v := range want {
		if !(math.Abs(got[k]-v) <= tol) {
			t.Fatalf("%s: entry %d is %v, want %v", what, k, got[k], v)
		}
	}
}

// Simplex ends the test unless the entries of w are at least 0 and sum to 1 within tol.
func Simplex(t TB, what string, w []float64, tol float64) {
	t.Helper()
	sum := 0.0
	for i, x := range w {
		if !(x >= 0) {
			t.Fatalf("%s: entry %d is %v", what, i, x)
		}
		sum += x
	}
	if !(math.Abs(sum-1) <= tol) {
		t.Fatalf("%s: the sum is %v", what, sum)
	}
}

// Coupling ends the test unless the entries of T are at least 0 and its rows and columns sum to p and q within tol.
func Coupling(t TB, T, p, q []float64, tol float64) {
	t.Helper()
	rows, cols := make([]float64, len(p)), make([]float64, len(q))
	for k, x := range T {
		if !(x >= 0) {
			t.Fatalf("entry (%d, %d) is %v", k/len(q), k%len(q), x)
		}
		rows[k/len(q)] += x
		cols[k%len(q)] += x
	}
	Near(t, "sums of rows", rows, p, tol)
	Near(t, "sums of columns", cols, q, tol)
}

// Countdown is a context that ends after it was asked for its error Left times.
type Countdown struct {
	context.Context
	Left int
}

// EndAfter returns a context that is cancelled once its error was asked for more often than asked.
func EndAfter(asked int) *Countdown { return &Countdown{context.Background(), asked} }

// Err is context.Canceled once the context has ended.
func (c *Countdown) Err() error {
	if c.Left--; c.Left < 0 {
		return context.Canceled
	}
	return nil
}
