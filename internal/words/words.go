// Package words has numbers with the words that go with them.
package words

import "fmt"

// Plural is a number with the word that goes with it: 1 cell, 2 cells.
func Plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}
