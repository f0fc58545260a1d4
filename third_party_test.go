package ogdl_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/test/must"
)

// TestThirdParty: THIRD_PARTY.txt has a licence of every module that is built into the program, and of no others.
func TestThirdParty(t *testing.T) {
	var want []string
	for _, p := range ofProgram(t) {
		if m := p.Module; m != nil && !m.Main {
			want = append(want, m.Path+" "+m.Version)
		}
	}
	slices.Sort(want)
	want = append([]string{"Go standard library"}, slices.Compact(want)...)
	text := must.Get(os.ReadFile("THIRD_PARTY.txt"))
	parts := regexp.MustCompile(`(?m)^=== (.*)$`).FindAllStringSubmatchIndex(string(text), -1)
	var got []string
	for i, m := range parts {
		end := len(text)
		if i+1 < len(parts) {
			end = parts[i+1][0]
		}
		name := string(text[m[2]:m[3]])
		got = append(got, name)
		if len(text[m[1]:end]) < 200 {
			t.Errorf("%s has no licence", name)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("scripts/dev/third_party.sh writes the list anew:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
