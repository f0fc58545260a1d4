package datasets

import "slices"

// named pairs the names of the paper with other names in the TU collection: first the sets of the
// paper's table of data sets, in its order.
var named = [...]struct{ paper, tu string }{
	{"IMDB-B", "IMDB-BINARY"},
	{"IMDB-M", "IMDB-MULTI"},
	{"MUTAG", "MUTAG"},
	{"PTC-MR", "PTC_MR"},
	{"BZR", "BZR"},
	{"COX2", "COX2"},
	{"ENZYMES", "ENZYMES"},
	{"PROTEIN", "PROTEINS_full"},
	{"TWITCH-EGOS", "twitch_egos"},
}

var paperSets = named[:8]

// otherSets are the sets of the paper's further experiments.
var otherSets = [...]string{"TRIANGLES", "twitch_egos", "twitch_egos_partial"}

// TUName returns the TU collection's name for a name of the paper ("IMDB-B" ->
// "IMDB-BINARY", "PROTEIN" -> "PROTEINS_full"), and any other name unchanged.
func TUName(name string) string {
	for _, s := range named {
		if s.paper == name {
			return s.tu
		}
	}
	return name
}

// PaperName returns the paper's name for a name of the TU collection
// ("PROTEINS_full" -> "PROTEIN"), and any other name unchanged.
func PaperName(name string) string {
	for _, s := range named {
		if s.tu == name {
			return s.paper
		}
	}
	return name
}

// PaperSets returns the TU names of the eight data sets of the paper's
// clustering and classification tables, in the order of its table of data sets.
func PaperSets() []string {
	names := make([]string, len(paperSets))
	for i, s := range paperSets {
		names[i] = s.tu
	}
	return names
}

// Fetchable reports whether scripts/fetch_tudatasets.sh knows the data set, by
// its TU name.
func Fetchable(name string) bool {
	return slices.Contains(PaperSets(), name) || slices.Contains(otherSets[:], name)
}
