package svm

// Forget makes the next Fit compute whatever it could know from the last.
func (p *Problem) Forget() {
	for i := range p.pairs {
		p.pairs[i].fitted = false
	}
}

// Known counts the pairs whose machine at C needs no work after the last Fit.
func (p *Problem) Known(C float64) (count int) {
	for i := range p.pairs {
		if q := &p.pairs[i]; q.fitted && q.c > q.peak && C > q.peak {
			count++
		}
	}
	return count
}
