package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
)

// idDigits is the length of an id: 64 bits, short enough to stand beside a number in a
// table; among a million cells two share one with probability 3e-8.
const idDigits = 16

// ID returns the identity of a content: the first 16 hexadecimal digits of the SHA-256 of its
// canonical JSON. Contents that differ only in the order of map keys or struct fields, or in
// the Go type of equal numbers (1 and 1.0), have the same id; field names count.
//
// It panics if content has no JSON form (NaN, infinities, channels, functions).
func ID(content any) string {
	sum := sha256.Sum256(Canonical(content))
	return hex.EncodeToString(sum[:])[:idDigits]
}

// Raw is canonical JSON that stands for the value it is the text of, where many contents share a part.
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
	if out, ok := appendSimple(make([]byte, 0, 256), v); ok {
		return out, nil
	}
	return canonicalTree(v)
}

// appendSimple writes what most contents are made of, maps of texts, numbers and
// truth values, without going through encoding/json, which takes ten times as long. ok is
// false where it meets something else.
func appendSimple(out []byte, v any) (_ []byte, ok bool) {
	switch v := v.(type) {
	case map[string]any:
		if v == nil {
			return nil, false
		}
		out = append(out, '{')
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for k, key := range keys {
			if k > 0 {
				out = append(out, ',')
			}
			if out, ok = appendSimple(out, key); !ok {
				return nil, false
			}
			out = append(out, ':')
			if out, ok = appendSimple(out, v[key]); !ok {
				return nil, false
			}
		}
		return append(out, '}'), true
	case string:
		for _, b := range []byte(v) {
			if b < 0x20 || b >= 0x7f || b == '"' || b == '\\' {
				return nil, false
			}
		}
		return append(append(append(out, '"'), v...), '"'), true
	case Raw:
		return append(out, v...), true
	case bool:
		return strconv.AppendBool(out, v), true
	case int:
		return strconv.AppendInt(out, int64(v), 10), true
	case int64:
		return strconv.AppendInt(out, v, 10), true
	case float64:
		// encoding/json changes to exponents outside of these bounds.
		if size := math.Abs(v); v != 0 && !(size >= 1e-6 && size < 1e15) {
			return nil, false
		}
		return strconv.AppendFloat(out, v+0, 'f', -1, 64), true
	}
	return nil, false
}

// canonicalTree is CanonicalJSON of whatever has a JSON form.
func canonicalTree(v any) ([]byte, error) {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("no canonical JSON: %w", err)
	}
	d := json.NewDecoder(&buf)
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		return nil, fmt.Errorf("no canonical JSON: %w", err)
	}
	var out bytes.Buffer
	if err := appendCanonical(&out, tree); err != nil {
		return nil, fmt.Errorf("no canonical JSON: %w", err)
	}
	return out.Bytes(), nil
}

func appendCanonical(out *bytes.Buffer, v any) error {
	switch v := v.(type) {
	case map[string]any:
		out.WriteByte('{')
		for k, key := range slices.Sorted(maps.Keys(v)) {
			if k > 0 {
				out.WriteByte(',')
			}
			if err := appendPlain(out, key); err != nil {
				return err
			}
			out.WriteByte(':')
			if err := appendCanonical(out, v[key]); err != nil {
				return err
			}
		}
		out.WriteByte('}')
	case []any:
		out.WriteByte('[')
		for k := range v {
			if k > 0 {
				out.WriteByte(',')
			}
			if err := appendCanonical(out, v[k]); err != nil {
				return err
			}
		}
		out.WriteByte(']')
	case json.Number:
		return appendNumber(out, string(v))
	default:
		return appendPlain(out, v)
	}
	return nil
}

// appendNumber keeps 64-bit integers digit by digit and gives everything else the form that
// encoding/json gives a float64, which is an integer's own form where it is one.
func appendNumber(out *bytes.Buffer, s string) error {
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		out.WriteString(strconv.FormatInt(i, 10))
		return nil
	}
	if u, err := strconv.ParseUint(s, 10, 64); err == nil {
		out.WriteString(strconv.FormatUint(u, 10))
		return nil
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return fmt.Errorf("number %s: %w", s, err)
	}
	return appendPlain(out, x+0) // -0 + 0 = 0
}

func appendPlain(out io.Writer, v any) error {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := out.Write(bytes.TrimSuffix(buf.Bytes(), []byte{'\n'}))
	return err
}
