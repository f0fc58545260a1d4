// Package plots draws figures of panels in a grid with gonum/plot, as SVG, PNG and PDF files with the same bytes from run
// to run, and their numbers as CSV. It knows nothing of records: a figure is made of numbers and names.
//
// Colours are those of Okabe and Ito, which can be told apart without red and green; shapes and dashes differ as
// well. Values are shown by a map from white to dark blue that is uniform in lightness.
package plots
