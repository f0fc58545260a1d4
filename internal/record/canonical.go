package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// idDigits is the length of an id: 64 bits, short enough for a column of a table. Among a million
// cells two share one with probability 3e-8.
const idDigits = 16

// ID returns the identity of a content: the first 16 hexadecimal digits of the SHA-256 of its
// canonical JSON. Contents that differ only in the order of map keys or struct fields, or in
// the Go type of equal numbers (1 and 1.0), have the same id; field names count.
//
// It panics if content has no JSON form (NaN, infinities, channels, functions).
func ID(content any) string {
	return sumOf(Canonical(content))[:idDigits]
}

// sumOf is the SHA-256 of data in hexadecimal digits.
func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Raw is canonical JSON text. [CanonicalJSON] copies it unchanged, so that a shared part is encoded
// once.
type Raw []byte

// MarshalJSON returns the text.
func (r Raw) MarshalJSON() ([]byte, error) { return r, nil }

// Canonical returns the canonical JSON of a part of contents. It panics as [ID] does.
func Canonical(part any) Raw {
	b, err := CanonicalJSON(part)
	if err != nil {
		panic("record: " + err.Error())
	}
	return b
}

// CanonicalJSON returns the one JSON text of a value: compact, object keys sorted, floats in
// their shortest form that reads back exactly, integers without exponent up to 64 bits,
// no negative zero, nothing escaped that need not be. Invalid UTF-8 becomes U+FFFD, as in
// encoding/json.
func CanonicalJSON(v any) ([]byte, error) {
	out, err := appendCanonical(make([]byte, 0, 256), v)
	if err != nil {
		return nil, fmt.Errorf("no canonical JSON: %w", err)
	}
	return out, nil
}

// appendCanonical writes the most frequent types without encoding/json, which takes ten times as
// long. It converts other types by treeOf first.
func appendCanonical(out []byte, v any) ([]byte, error) {
	var err error
	switch v := v.(type) {
	case map[string]any:
		if v == nil {
			return append(out, "null"...), nil
		}
		out = append(out, '{')
		for k, key := range slices.Sorted(maps.Keys(v)) {
			if k > 0 {
				out = append(out, ',')
			}
			if out, err = appendCanonical(out, key); err != nil {
				return nil, err
			}
			if out, err = appendCanonical(append(out, ':'), v[key]); err != nil {
				return nil, err
			}
		}
		return append(out, '}'), nil
	case []any:
		if v == nil {
			return append(out, "null"...), nil
		}
		out = append(out, '[')
		for k := range v {
			if k > 0 {
				out = append(out, ',')
			}
			if out, err = appendCanonical(out, v[k]); err != nil {
				return nil, err
			}
		}
		return append(out, ']'), nil
	case nil:
		return append(out, "null"...), nil
	case string:
		if strings.ContainsFunc(v, func(r rune) bool { return r < 0x20 || r >= 0x7f || r == '"' || r == '\\' }) {
			text, err := plainJSON(string([]rune(v)))
			return append(out, text...), err
		}
		return append(append(append(out, '"'), v...), '"'), nil
	case Raw:
		return append(out, v...), nil
	case bool:
		return strconv.AppendBool(out, v), nil
	case int:
		return strconv.AppendInt(out, int64(v), 10), nil
	case int64:
		return strconv.AppendInt(out, v, 10), nil
	case float64:
		return appendNumber(out, v)
	case json.Number: // 64-bit integers stay digit by digit
		if i, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return strconv.AppendInt(out, i, 10), nil
		}
		if u, err := strconv.ParseUint(string(v), 10, 64); err == nil {
			return strconv.AppendUint(out, u, 10), nil
		}
		x, err := v.Float64()
		if err != nil {
			return nil, fmt.Errorf("number %s: %w", v, err)
		}
		return appendNumber(out, x)
	}
	tree, err := treeOf(v)
	if err != nil {
		return nil, err
	}
	return appendCanonical(out, tree)
}

// appendNumber writes a number as encoding/json does, which changes to exponents outside of these bounds. Zero has no sign.
func appendNumber(out []byte, x float64) ([]byte, error) {
	if size := math.Abs(x); x == 0 || size >= 1e-6 && size < 1e15 {
		return strconv.AppendFloat(out, x+0, 'f', -1, 64), nil // -0 + 0 = 0
	}
	text, err := plainJSON(x)
	return append(out, text...), err
}

// treeOf returns a value after a round trip through encoding/json.
func treeOf(v any) (tree any, err error) {
	text, err := plainJSON(v)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&tree)
	return tree, err
}

// plainJSON is json.Marshal without its escapes for HTML.
func plainJSON(v any) ([]byte, error) {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(buf.Bytes(), []byte{'\n'}), err
}
