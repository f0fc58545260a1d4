package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// A record file is one line of JSON,
//
//	{"schema":1,"sha256":"<64 digits>","record":<canonical JSON>}
//
// whose sum covers the schema and the content. The frame is matched byte by byte, not parsed
// as JSON, whose readers forgive changes (letter case of keys, spaces) that a checksum must
// catch: no byte of the file can change unnoticed.
const (
	frameSchema  = `{"schema":`
	frameSum     = `,"sha256":"`
	framePayload = `","record":`
	frameEnd     = "}\n"
)

// ErrCorrupt is wrapped by the errors about files that were altered, or whose content does not fit
// their names.
var ErrCorrupt = errors.New("corrupt")

// SchemaError is the error about an intact file that was written under another schema than this code's.
type SchemaError struct {
	Path string
	Got  int // the file's schema
	Want int // this code's
}

// Error names the file and both schemas.
func (e *SchemaError) Error() string {
	age := "an older"
	if e.Got > e.Want {
		age = "a newer"
	}
	return fmt.Sprintf("record: %s was written under %s schema, %d; this program reads %d", e.Path, age, e.Got, e.Want)
}

// seal frames a canonical payload.
func seal(schema int, payload []byte) []byte {
	file := make([]byte, 0, len(payload)+128)
	file = append(file, frameSchema+strconv.Itoa(schema)+frameSum+frameHash(schema, payload)+framePayload...)
	return append(append(file, payload...), frameEnd...)
}

// unseal returns the schema and payload of a record file, or why it has none.
func unseal(file []byte) (schema int, payload []byte, err error) {
	head, payload, found := bytes.Cut(file, []byte(framePayload))
	payload, whole := bytes.CutSuffix(payload, []byte(frameEnd))
	if !found || !whole {
		return 0, nil, errors.New("truncated, or no record")
	}
	digits, _, _ := bytes.Cut(bytes.TrimPrefix(head, []byte(frameSchema)), []byte(frameSum))
	schema, err = strconv.Atoi(string(digits))
	if err != nil || string(head) != frameSchema+strconv.Itoa(schema)+frameSum+frameHash(schema, payload) {
		return 0, nil, errors.New("checksum does not match")
	}
	return schema, payload, nil
}

func frameHash(schema int, payload []byte) string {
	return sumOf(fmt.Appendf(nil, "ogdl record %d\n%s", schema, payload))
}

// encode returns the file of a record or timing.
func encode(content any) ([]byte, error) {
	payload, err := CanonicalJSON(content)
	if err != nil {
		return nil, err
	}
	return seal(Schema, payload), nil
}

// decode fills content (a *Record or *Timing) from a file's bytes. The path is for errors.
func decode(path string, file []byte, content any) error {
	schema, payload, err := unseal(file)
	switch {
	case err != nil:
	case schema != Schema:
		return &SchemaError{Path: path, Got: schema, Want: Schema}
	default:
		err = json.Unmarshal(payload, content)
	}
	if err != nil {
		return corrupt(path, "%v", err)
	}
	return nil
}
