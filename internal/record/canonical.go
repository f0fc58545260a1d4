package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
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
	b, err := CanonicalJSON(content)
	if err != nil {
		panic("record: " + err.Error())
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])[:idDigits]
}

// CanonicalJSON returns the one JSON text of a value: compact, object keys sorted, floats in
// their shortest form that reads back exactly, integers without exponent up to 64 bits,
// no negative zero, nothing escaped that need not be. Invalid UTF-8 becomes U+FFFD, as in
// encoding/json.
func CanonicalJSON(v any) ([]byte, error) {
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
