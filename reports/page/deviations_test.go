package page

import (
	"fmt"
	"strings"
	"testing"
)

func TestDeviations(t *testing.T) {
	tab := DeviationsTable()
	if len(tab.Rows) < 12 {
		t.Errorf("%d deviations", len(tab.Rows))
	}
	one := "[[deviation]]\nabout = \"a\"\npaper = \"b\"\nours = \"c\"\nreason = \"d\"\n"
	if list, err := parseDeviations(one); err != nil || fmt.Sprint(list) != "[{a b c d}]" {
		t.Errorf("%v, %v", list, err)
	}
	for text, want := range map[string]string{
		one + "extra = 1\n":              "unknown key deviation.extra",
		one + one:                        "a comes twice",
		"[[deviation]]\nabout = \"a\"\n": "must all be there",
		"[[deviation]\n":                 "toml",
	} {
		if _, err := parseDeviations(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
