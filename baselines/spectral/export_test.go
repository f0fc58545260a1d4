package spectral

// Smallest and Full, for tests.
var (
	Smallest = smallest
	Full     = full
)
