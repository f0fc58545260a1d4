package plots

// SVG draws the SVG file alone, for tests that draw many.
func SVG(f Figure) ([]byte, error) {
	p := newPen()
	f, l, err := p.prepare(f)
	if err != nil {
		return nil, err
	}
	return svg(p, f, l)
}
