package spectral

// Smallest, Full and the estimated work of a pair, for tests.
var (
	Smallest = smallest
	Full     = full
)

// BlockWork is the estimated work of block b, and the largest of one of its pairs.
func (p *Pairs) BlockWork(b int) (sum, largest float64) {
	for at := p.cut[b]; at < p.cut[b+1]; at++ {
		w := p.work(p.pair(at))
		sum += w
		largest = max(largest, w)
	}
	return sum, largest
}
