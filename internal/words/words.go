// Package words has numbers with the words that go with them, and texts of users as terminals and tables take them.
package words

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// Plural is a number with the word that goes with it: 1 cell, 2 cells.
func Plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// If returns a text as [fmt.Sprintf] makes it if something holds, and "" otherwise.
func If(holds bool, format string, args ...any) string {
	if !holds {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// Shell makes a text one word of a shell command.
func Shell(text string) string {
	if text != "" && strings.Trim(text, "=:,@/.-_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// Wrap breaks a text at blanks into lines of at most width letters (0: one line). A longer word has a line of its own.
func Wrap(text string, width int) string {
	var b strings.Builder
	left := 0
	for i, word := range strings.Fields(text) {
		letters := utf8.RuneCountInString(word)
		switch left -= letters + 1; {
		case i == 0:
			left = width - letters
		case left < 0 && width > 0:
			b.WriteByte('\n')
			left = width - letters
		default:
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
}

// CSV returns a text as a field that no spreadsheet reads as a formula. A text that begins with = +
// - or @ and is not a number gets an apostrophe in front.
func CSV(text string) string {
	if len(text) < 2 || !strings.ContainsAny(text[:1], "=+-@") {
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	return "'" + text
}

// Screen is a writer for terminals: control characters, which names and labels of users may hold, are written as \x1b, but for ends of lines
// and tabulators.
type Screen struct {
	W    io.Writer
	Lost *error // gets the error of a write; may be nil
}

// Write writes p.
func (s Screen) Write(p []byte) (int, error) {
	if _, err := io.WriteString(s.W, Clean(string(p))); err != nil {
		if s.Lost != nil {
			*s.Lost = err
		}
		return 0, err
	}
	return len(p), nil
}

// Terminal returns the terminal that w writes to, directly or through a [Screen], and its number of columns. It returns nil
// and 0 for other writers, and for a terminal that reports no width.
func Terminal(w io.Writer) (*os.File, int) {
	if s, ok := w.(Screen); ok {
		w = s.W
	}
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return f, width
		}
	}
	return nil, 0
}

// Clean returns a text with its control characters as Screen writes them.
func Clean(text string) string {
	control := func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\t' || 0x7f <= r && r < 0xa0
	}
	if !strings.ContainsFunc(text, control) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if control(r) {
			fmt.Fprintf(&b, "\\x%02x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
