package words

import (
	"strings"
	"testing"

	"ogdl/internal/test/must"
)

// TestScreen holds that no escape of a user's text reaches a terminal.
func TestScreen(t *testing.T) {
	var b strings.Builder
	const text = "a\tb\n\x1b[31mred\x07\u009b2J é\r\n"
	n, err := Screen{W: &b}.Write([]byte(text))
	if want := "a\tb\n\\x1b[31mred\\x07\\x9b2J é\\x0d\n"; b.String() != want || n != len(text) || err != nil {
		t.Errorf("%q, %d, %v", b.String(), n, err)
	}
}

// TestCSV holds that texts are no formulas, and numbers numbers.
func TestCSV(t *testing.T) {
	for text, want := range map[string]string{"": "", "-": "-", "-1": "-1", "+1.5e3": "+1.5e3", "-inf": "-inf", "a=b": "a=b", "=1+1": "'=1+1", "@x": "'@x",
		"-x": "'-x", "+cmd|' /C calc'!A0": "'+cmd|' /C calc'!A0"} {
		must.Check(t, CSV(text), want, "%q", text)
	}
}

// TestShell holds that a text is one word to a shell: as it is where it may be, else in quotes.
func TestShell(t *testing.T) {
	for text, want := range map[string]string{"": "''", "results/a-1.toml": "results/a-1.toml", "alpha=[0.1,1]": "'alpha=[0.1,1]'", "my data": "'my data'",
		"it's": `'it'\''s'`, "$HOME": "'$HOME'"} {
		must.Check(t, Shell(text), want, "%q", text)
	}
}

// TestIf holds that a text appears exactly where its condition holds.
func TestIf(t *testing.T) {
	must.Equal(t, If(true, " and %d more", 3)+If(false, " and %d more", 4), " and 3 more", "texts")
}
