package reports

// Spec is what a configuration asks for: the frame that records are put into.
type Spec struct {
	// Name of the configuration, for titles: "clustering-quick".
	Name string
	// Expected lists the cells of the grid. Records of other cells (a store
	// is shared by many grids) are left out of the tables. Without any, all
	// records are taken as the grid; then nothing can be known to be missing.
	Expected []Expected
}

// Expected is one cell that a grid asks for. Its fields are those of the
// record that the cell will leave behind.
type Expected struct {
	ID      string // the cell's identity, as in record.Record
	Method  string // "GDL"
	Dataset string // "MUTAG"
	// Params are all resolved parameters. The tables read two of them by
	// name, "alpha" and "lambda"; the others only tell configurations apart.
	// Numbers may be of any Go number type: 4, int64(4) and 4.0 are equal.
	Params     map[string]any
	BaseSeed   int64
	Repetition int
}
