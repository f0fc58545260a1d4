package plots

import (
	"bytes"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// SVG draws the SVG file alone, for tests that draw many.
func SVG(f Figure) ([]byte, error) {
	w, h, onto, err := f.layout()
	if err != nil {
		return nil, err
	}
	c := vgsvg.New(w, h)
	onto(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, err
	}
	return f.head(b.Bytes(), w, h), nil
}
