package optim

// Moments is Adam's state: the two moments as views, and the powers beta1^t and
// beta2^t that correct their bias. An optimizer of the same settings that is
// handed them by SetMoments goes on bit for bit.
func (a *Adam) Moments() (m, v []float64, power1, power2 float64) {
	return a.m, a.v, a.power1, a.power2
}

// SetMoments copies a state of Moments.
func (a *Adam) SetMoments(m, v []float64, power1, power2 float64) {
	copy(a.m, m)
	copy(a.v, v)
	a.power1, a.power2 = power1, power2
}
