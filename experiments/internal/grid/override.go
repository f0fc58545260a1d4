package grid

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"ogdl/experiments/internal/spec"
)

// setting is a key=value of -set.
type setting struct {
	key   string
	value any    // as TOML has it
	Text  string // as given
}

// Settings are the arguments of -set, one for each key; a flag.Value.
type Settings []setting

// String is asked of a flag.Value; there is no default to show.
func (s *Settings) String() string { return "" }

// Set reads key=value: numbers (.5 is 0.5), truth values and lists as TOML has them, else a text.
func (s *Settings) Set(text string) error {
	key, value, ok := strings.Cut(text, "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if !ok || key == "" || value == "" || strings.ContainsAny(text, "\n\r") {
		return errors.New("must be key=value, such as atoms=6 or 'alpha=[0.5, 0.9]'")
	}
	if slices.ContainsFunc(*s, func(x setting) bool { return x.key == key }) {
		return fmt.Errorf("%s is set twice", key)
	}
	x := setting{key, value, key + "=" + value}
	if _, err := strconv.ParseFloat(value, 64); err == nil && value[0] == '.' {
		value = "0" + value // as TOML wants it
	}
	var doc map[string]any
	if _, err := toml.Decode("x = "+value, &doc); err == nil {
		x.value = doc["x"]
	}
	*s = append(*s, x)
	return nil
}

// Values are the settings by key.
func (s Settings) Values() map[string]any {
	out := map[string]any{}
	for _, x := range s {
		out[x.key] = x.value
	}
	return out
}

// setFlag is the file name in errors about -set.
const setFlag = "-set"

// override replaces the values of keys in all [[grid]] blocks that have them. It returns the new
// text of the configuration, without the settings of an earlier run.
func (p *parser) override(doc map[string]any, set Settings) string {
	var text strings.Builder
	rest := string(p.src)
	for strings.HasPrefix(rest, "#") {
		line, after, _ := strings.Cut(rest, "\n")
		if rest = after; !strings.HasPrefix(line, SetLine) { // of an earlier run
			text.WriteString(line + "\n")
		}
	}
	if len(set) == 0 {
		return text.String() + rest
	}
	blocks, _, _ := tablesOf(doc)
	all := map[string]any{}
	for _, b := range blocks {
		maps.Copy(all, b)
	}
	have := slices.Sorted(maps.Keys(all))
	for _, s := range set {
		want := ""
		switch {
		case slices.Contains(have, s.key):
			p.overridden = append(p.overridden, s.key)
		case slices.Contains(topLevel, s.key):
			want = "is a top-level key; " + setFlag + " overrides keys of [[grid]] blocks: " + strings.Join(have, ", ")
		case p.isParameter(s.key):
			want = "no [[grid]] block of " + filepath.Base(p.file) + " has this key; there are " + strings.Join(have, ", ")
		default:
			want = "unknown key" + spec.Expected(s.key, have)
		}
		if want != "" {
			p.errs = append(p.errs, &Error{File: setFlag, Key: s.key, Value: spec.Show(s.value), Want: want})
		}
		for _, b := range blocks {
			if _, ok := b[s.key]; ok {
				b[s.key] = s.value
			}
		}
		text.WriteString(SetLine + s.Text + "\n")
	}
	var changed bytes.Buffer
	if err := toml.NewEncoder(&changed).Encode(doc); err != nil {
		p.errs = append(p.errs, &Error{File: setFlag, Want: err.Error()})
	}
	return text.String() + "\n" + changed.String()
}

// SetLine begins the lines at the top of a configuration that list its overridden keys.
const SetLine = "# " + setFlag + " "
