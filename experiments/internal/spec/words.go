package spec

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// fewWords is how many words that begin with a given one are suggested.
const fewWords = 4

// Expected ends a message about an unknown word: with the nearest known words if one is near, else with all.
func Expected(word string, known []string) string {
	return cmp.Or(DidYouMean(word, known), "; allowed: "+strings.Join(known, ", "))
}

// DidYouMean ends a message about an unknown word with the nearest known one, if one is near: at most a third of
// its letters, and at least one, are other, missing, superfluous or swapped with their neighbour, hyphens and underscores apart. Else it
// names up to four words that begin so.
func DidYouMean(word string, known []string) string {
	letters := func(word string) string { return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(word)) }
	asked, best, least := letters(word), "", len(word)
	for _, k := range known {
		if strings.HasSuffix(k, ":K") {
			continue // stands for many
		}
		name := letters(k)
		if d := editDistance(asked, name); d < least && d <= max(1, min(len(asked), len(name))/3) {
			best, least = k, d
		}
	}
	if best == "" && len(word) > 2 {
		begin := slices.DeleteFunc(slices.Clone(known), func(k string) bool { return !strings.HasPrefix(k, word) })
		if len(begin) <= fewWords {
			best = strings.Join(begin, " or ")
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// editDistance counts insertions, deletions, replacements and swaps of neighbours between words.
func editDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 64 || len(y) > 64 {
		return max(len(x), len(y)) // no word of ours
	}
	var before []int
	last := make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := range x {
		row := make([]int, len(y)+1)
		row[0] = i + 1
		for j := range y {
			replace := last[j]
			if x[i] != y[j] {
				replace++
			}
			row[j+1] = min(replace, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(y)]
}

// Texts returns the text of each element of a list.
func Texts[T any](list []T, text func(T) string) (out []string) {
	for _, x := range list {
		out = append(out, text(x))
	}
	return out
}

// Quoted lists names in quotes, the last after "or".
func Quoted(names []string) string { return anyOf(Texts(names, strconv.Quote)) }

// anyOf lists texts, the last after "or".
func anyOf(texts []string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:len(texts)-1], ", ") + " or " + texts[len(texts)-1]
}
