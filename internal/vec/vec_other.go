//go:build !amd64 || purego

package vec

// fast is false where there are no kernels in assembly: what follows is never called.
const fast = false

func axpyAVX2(f float64, x *float64, y *float64, n int) { panic("vec") }
func inTurnAVX2(c0 float64, c1 float64, c2 float64, c3 float64, x0 *float64, x1 *float64, x2 *float64, x3 *float64, y *float64, n int) {
	panic("vec")
}
func dotAVX2(x *float64, y *float64, n int) float64 { panic("vec") }
func dotsAVX2(x0 *float64, x1 *float64, x2 *float64, x3 *float64, y *float64, n int, out *float64) {
	panic("vec")
}
func sumAVX2(x *float64, n int) float64                 { panic("vec") }
func lerpAVX2(f float64, x *float64, y *float64, n int) { panic("vec") }
func scaleAVX2(f float64, x *float64, n int)            { panic("vec") }
func addAVX2(x *float64, y *float64, n int)             { panic("vec") }
func adamAVX2(x, m, v, slope *float64, n int, beta1, rest1, beta2, rest2, by1, by2, step, epsilon float64) {
	panic("vec")
}
func scatterAVX2(f float64, mass *float64, src *int32, dst *int32, arcs int, x *float64, ldx int, y *float64, ldy int, width int) {
	panic("vec")
}
func denseAVX2(b *float64, rowStep int, step int, rows int, inner int, x *float64, ldx int, out *float64, ld int, width int) {
	panic("vec")
}
func denseFewAVX2(b *float64, rowStep int, rows int, inner int, x *float64, ldx int, out *float64, ld int, width int) {
	panic("vec")
}
func inOrderAVX2(b *float64, rowStep int, step int, rows int, inner int, x *float64, ldx int, out *float64, ld int, width int) {
	panic("vec")
}
func equalAVX2(f float64, rowPtr *int32, rowEnd *int32, col *int32, x *float64, out *float64, ld int, stride int) {
	panic("vec")
}
func sparseAVX2(rowPtr *int32, rowEnd *int32, col *int32, val *float64, x *float64, out *float64, ld int, stride int) {
	panic("vec")
}
func priceAVX2(c *float64, ld int, rows int, cols int, v *float64, pi *float64, negEps float64, i int, clean int) (row int, col int, seen int) {
	panic("vec")
}
func shiftAVX2(x *float64, word uint64, sigma float64)            { panic("vec") }
func surveyAVX2(x *float64, least *float64, sums *float64, n int) { panic("vec") }
func relaxAVX2(c *float64, n int, v *float64, d *float64, from *int64, shift float64, i int64) int {
	panic("vec")
}
func momentsAVX2(c *float64, ld int, n int, p *float64, cp *float64, c2p *float64)  { panic("vec") }
func distancesAVX2(f float64, a *float64, d int, bt *float64, ld int, out *float64) { panic("vec") }
func sweepAVX2(k *float64, ld, rows int, wa, wb, a, b, next *float64, low, high float64) (err float64, ok bool) {
	panic("vec")
}
func quotientsAVX2(w *float64, x *float64, n int, low float64, high float64) (ok bool) { panic("vec") }
func planAVX2(k *float64, ld int, rows int, w *float64, a *float64, b *float64, out *float64) (err float64, change float64) {
	panic("vec")
}
func tiltExpAVX2(l, p, base *float64, times float64, f, v, k, col *float64, ld, rows int, table *float64) (done bool) {
	panic("vec")
}
func expRowsAVX2(l *float64, ldl int, f *float64, v *float64, k *float64, col *float64, ld int, rows int, n int, table *float64) {
	panic("vec")
}
func addMaxAVX2(f float64, l *float64, k *float64, top *float64, n int)         { panic("vec") }
func expLessAVX2(k *float64, top *float64, sum *float64, n int, table *float64) { panic("vec") }
func expSumAVX2(l *float64, v *float64, x *float64, n int, table *float64) (top float64, sum float64) {
	panic("vec")
}
func logAddAVX2(x *float64, y *float64, n int) (done int)                          { panic("vec") }
func transposeAVX2(in *float64, ld int, rows int, cols int, out *float64, ldo int) { panic("vec") }
func pivotsAVX2(c *float64, ld, rows, cols int, pi *float64, node, masks *uint64, path *uint32, negEps, scale float64, i, most int) (
	row, clean, done int) {
	panic("vec")
}
func widePivotsAVX2(c *float64, ld, rows, cols int, pi *float64, node, masks *uint64, path *uint32, negEps, scale float64, i, most int) (
	row, clean, done int) {
	panic("vec")
}
func lessMaxAVX2(c0, c1 float64, x0, x1 *float32, v, off *float64, n int) (place int, top float64) {
	panic("vec")
}
func bestGainAVX2(v, off, diag *float64, row *float32, n int, d, m, tau float64) int { panic("vec") }
