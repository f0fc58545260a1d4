package record

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"testing"

	"ogdl/internal/test/must"

	"pgregory.net/rapid"
)

func TestCanonicalJSON(t *testing.T) {
	for _, tt := range []struct {
		v    any
		want string
	}{
		{map[string]any{"b": 1, "a": map[string]any{"z": nil, "y": true}}, `{"a":{"y":true,"z":null},"b":1}`},
		{struct {
			Z int
			A string `json:"a"`
		}{1, "x"}, `{"Z":1,"a":"x"}`},
		{[]any{1.0, 1, int64(1), json.Number("1.0"), json.Number("10e-1")}, `[1,1,1,1,1]`},
		{math.Copysign(0, -1), `0`},
		{json.Number("-0"), `0`},
		{0.1, `0.1`},
		{1e-7, `1e-7`},
		{1e20, `100000000000000000000`},
		{json.Number("100000000000000000000"), `100000000000000000000`},
		{1e21, `1e+21`},
		{json.Number("1000000000000000000000"), `1e+21`},
		{int64(math.MaxInt64), `9223372036854775807`},
		{int64(math.MinInt64), `-9223372036854775808`},
		{uint64(math.MaxUint64), `18446744073709551615`},
		{"<a href> & ü \n", `"<a href> & ü \n"`},
		{map[string]int{"<": 1}, `{"<":1}`},
		{[]float64{}, `[]`},
	} {
		got, err := CanonicalJSON(tt.v)
		if err != nil || string(got) != tt.want {
			t.Errorf("CanonicalJSON(%#v) = %s, %v; want %s", tt.v, got, err, tt.want)
		}
	}
	for _, v := range []any{math.NaN(), math.Inf(1), map[string]any{"x": math.Inf(-1)}, func() {}, json.Number("1e999")} {
		if got, err := CanonicalJSON(v); err == nil {
			t.Errorf("CanonicalJSON(%v) = %s, want an error", v, got)
		}
	}
}

// TestCanonicalJSONProperty: it is JSON of the same value, a fixed point, and the same bytes the short way and the long one.
func TestCanonicalJSONProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var draw func(depth int) any
		draw = func(depth int) any {
			switch rapid.IntRange(0, 6+depth).Draw(t, "kind") {
			case 0:
				return rapid.OneOf(rapid.Float64().Filter(finite), rapid.Float64Range(-2, 2), rapid.Just(1e-6), rapid.Just(-1e15), rapid.Just(math.Copysign(0, -1))).Draw(t, "float")
			case 1:
				return rapid.Int().Draw(t, "int")
			case 2:
				return rapid.Int64().Draw(t, "int64")
			case 3:
				return rapid.Bool().Draw(t, "bool")
			case 4:
				return rapid.OneOf(rapid.StringMatching(`[ -~]*`), rapid.String()).Draw(t, "text")
			case 5:
				return rapid.SliceOf(rapid.Int64()).Draw(t, "list")
			case 6:
				return nil
			}
			m := map[string]any{}
			for range rapid.IntRange(0, 4).Draw(t, "size") {
				m[rapid.StringMatching(`[a-z"\\é]{0,3}`).Draw(t, "key")] = draw(depth - 1)
			}
			return m
		}
		content := draw(2)
		text, err := json.Marshal(content)
		got, errShort := CanonicalJSON(content)
		long, errLong := CanonicalJSON(json.RawMessage(text))
		again, errAgain := CanonicalJSON(json.RawMessage(got))
		var want, back any
		must.Do(t, errors.Join(err, errShort, errLong, errAgain, json.Unmarshal(text, &want), json.Unmarshal(got, &back)))
		if !reflect.DeepEqual(back, want) || string(again) != string(got) || string(long) != string(got) {
			t.Errorf("%v: %s the short way, %s the long one, %s again", content, got, long, again)
		}
	})
}

func TestID(t *testing.T) {
	a := ID(map[string]any{"method": "gdl", "lambda": 0.001, "seed": 1})
	b := ID(struct {
		Seed   float64 `json:"seed"`
		Lambda float64 `json:"lambda"`
		Method string  `json:"method"`
	}{1, 1e-3, "gdl"})
	// Pinned: a change of it orphans every store.
	if want := "7a7e958e0e809cae"; a != want || b != want {
		t.Errorf("ids %s and %s, want %s", a, b, want)
	}
	must.Do(t, checkID(a))
	if ID(map[string]any{"lambda": 0.001}) == ID(map[string]any{"lambda": 0.01}) {
		t.Error("different contents have the same id")
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for NaN")
		}
	}()
	ID(math.NaN())
}
