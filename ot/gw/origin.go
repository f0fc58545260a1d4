package gw

import "math"

// Origin returns the point to subtract from all features, so that products of features lose no
// digits to a common offset: A[s] holds the n_s x d features of a graph and p[s] its n_s node
// weights. It is A[0]'s first row while that lies within 1,000 times the features' spread around
// their weighted mean, else the row of positive weight that is nearest to the mean. It is always
// one of the rows: where features are exact in binary, so are they relative to it. The result is a
// view, nil for d = 0. It panics without graphs where d > 0. Cost O(sum n_s d).
func Origin(A, p [][]float64, d int) []float64 {
	if d == 0 {
		return nil
	}
	first := A[0][:d]
	share := 1 / float64(len(A))
	mean := make([]float64, d)
	each := func(visit func(row []float64, weight float64)) {
		for s, a := range A {
			for i, x := range p[s] {
				if x > 0 {
					visit(a[i*d:i*d+d], x*share)
				}
			}
		}
	}
	each(func(row []float64, weight float64) {
		for k, x := range row {
			mean[k] += float64(weight * x)
		}
	})
	squared := func(row []float64) float64 {
		sum := 0.0
		for k, x := range row {
			sum += float64((x - mean[k]) * (x - mean[k]))
		}
		return sum
	}
	spread := 0.0
	each(func(row []float64, weight float64) { spread += float64(weight * squared(row)) })
	const far = 1000
	if squared(first) <= float64(far*far*spread) {
		return first
	}
	nearest, least := first, math.Inf(1)
	each(func(row []float64, _ float64) {
		if v := squared(row); v < least {
			nearest, least = row, v
		}
	})
	return nearest
}

// offsetRatio is the ratio of the entries' mean to their deviation above which structures are seen
// from an offset. A complete graph has the root of its order less one.
const offsetRatio = 32

// Offset returns the number to subtract from all structures: 0 unless their entries, weighted by
// p_i p_j, have a mean above 32 times their deviation, else the entry of positive weight of the
// first graph that is nearest to the mean. A number that is added to all entries of all graphs
// changes no objective between them, but costs digits where entries are squared. It panics without graphs. Cost O(sum n_s),
// and O(n^2) where the offset is not 0.
func Offset(graphs ...*Space) float64 {
	mean, square := 0.0, 0.0
	for _, s := range graphs {
		mean += s.mean()
		square += s.pc2p
	}
	mean /= float64(len(graphs))
	square /= float64(len(graphs))
	deviation := math.Sqrt(max(square-float64(mean*mean), 0))
	if math.Abs(mean) <= offsetRatio*deviation {
		return 0
	}
	s, nearest, least := graphs[0], 0.0, math.Inf(1)
	for i, p := range s.p {
		for j, q := range s.p {
			if x := s.c[i*s.ld+j]; p > 0 && q > 0 && math.Abs(x-mean) < least {
				nearest, least = x, math.Abs(x-mean)
			}
		}
	}
	return nearest
}

// mean returns p'Cp.
func (s *Space) mean() float64 {
	sum := 0.0
	for i, p := range s.p {
		sum += float64(p * s.cp[i])
	}
	return sum
}

// Shift sets dst to s with by subtracted from every structure entry; features and weights are
// shared with s, which must not change while dst is in use. dst may be s itself, or a space that
// Shift returned before; a nil one is allocated. It returns dst, without a compressed form. Cost
// O(n^2).
func (s *Space) Shift(by float64, dst *Space) *Space {
	if dst == nil {
		dst = new(Space)
	}
	if dst != s {
		c, cp, c2p := grow(dst.c, len(s.c)), grow(dst.cp, s.ld)[:s.n], grow(dst.c2p, s.ld)[:s.n]
		*dst = *s
		dst.c, dst.cp, dst.c2p = c, cp, c2p
	}
	clear(dst.c[s.n*s.ld:])
	for i := range s.n {
		row := dst.c[i*s.ld : (i+1)*s.ld]
		for j, x := range s.c[i*s.ld : i*s.ld+s.n] {
			row[j] = x - by
		}
		clear(row[s.n:])
	}
	dst.sparse = false
	dst.moments()
	return dst
}
