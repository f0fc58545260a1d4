package figures

import (
	"slices"

	"ogdl/datasets"
	"ogdl/internal/artifact"
	"ogdl/reports/plots"
)

// LabelColours names colours after the labels in these pictures, of data of this digest, and gives every node the number of its label's: strongest
// are the labels of the nodes of each picture, -1 without one. The first label is black, as carbon is. All pictures of one cell agree: where
// there are more labels than colours, those that are rarest in the cell's atoms have none.
func LabelColours(l *artifact.Labels, digest string, strongest [][]int) (names []plots.Group, colours [][]int) {
	count, here := make([]int, len(l.Texts)), slices.Concat(strongest...)
	for _, label := range slices.Concat(l.Strongest...) {
		if label >= 0 {
			count[label]++
		}
	}
	shown := byLargest(len(count), func(k int) float64 { return float64(count[k]) })
	shown = shown[:min(len(shown), plots.Colours)]
	slices.Sort(shown)
	colourOf := map[int]int{}
	for i, label := range shown {
		colourOf[label] = append([]int{black}, otherColours...)[i]
		if slices.Contains(here, label) {
			names = append(names, plots.Group{Name: labelName(l, digest, label), Colour: colourOf[label]})
		}
	}
	for _, picture := range strongest {
		of := make([]int, len(picture))
		for i, label := range picture {
			of[i] = colourOf[label]
		}
		colours = append(colours, of)
	}
	return names, colours
}

// labelName is the name of a label: its text, or what the readme of a published data set calls it.
func labelName(l *artifact.Labels, digest string, label int) string {
	if label < 0 {
		return ""
	}
	if known := datasets.NodeLabels(digest); l.Numbers != nil {
		if v := l.Numbers[label]; v >= 0 && v < len(known) {
			return known[v]
		}
		return "label " + l.Texts[label]
	}
	return l.Texts[label]
}
