package plots

// SVG draws the SVG file alone, for tests that draw many.
func SVG(f Figure) ([]byte, error) {
	p, err := f.picture()
	if err != nil {
		return nil, err
	}
	return p.svg()
}
