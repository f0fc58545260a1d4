package nested

// Exported for tests.
var (
	Denominator = denominator
	Numerator   = numerator
)
