package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/spec"
	"slices"
	"strings"
)

// What the help of verbs says above their flags.
const (
	runHelp      = "This is the verb where none is given. Stop it whenever you like: what is done is kept, and the same command goes on."
	listHelp     = "Opens no data but folders of your own that are new or have changed."
	planHelp     = "Computes nothing. Times are those of cells like them in the store or the ledger."
	reportHelp   = "Computes nothing. -force replaces the tables of another configuration of this name."
	verdictsHelp = "Reads the grids of the whole paper from the ledger (default DOCS/reproduction/ledger), and computes nothing."
	gcHelp       = "Records of -config, of the configurations in the program and of those under ./configs are named; " +
		"and what is younger than an hour is left alone."
)

const exitCodes = "Exit codes: 0 fine, skipped cells included; 1 fatal, or no cell has its data; 3 some cells failed, or the ledger has other numbers for them; " +
	"4 compare found rows that moved; 130 interrupted."

// helpWidth is the width of the help in letters, helpIndent where explanations begin.
const (
	helpWidth  = 80
	helpIndent = 18
)

// help prints what a topic asks for: the flags of a verb, the keys of a method, or the methods; without one the verbs.
func (p program) help(_ context.Context, topics []string, w io.Writer) (int, error) {
	if len(topics) > 0 && !strings.HasPrefix(topics[0], "-") {
		if v, err := verbOf(topics[0]); err == nil {
			return exitOK, v.help(w)
		}
		if topics[0] != "methods" {
			return exitOK, helpMethod(w, topics[0], p.methods.Described())
		}
		for _, m := range p.methods {
			helpEntry(w, m.Name, m.Doc)
		}
		return exitOK, nil
	}
	fmt.Fprint(w, "Usage: ogdl [VERB] [flags]\n\n")
	for _, v := range verbs() {
		helpEntry(w, v.name+v.args, v.doc)
	}
	for _, text := range []string{exitCodes, "Configurations in the program, A[B|C] being A, AB and AC: " + folded(grid.Names())} {
		fmt.Fprintln(w)
		for _, line := range wrapped(text, helpWidth) {
			fmt.Fprintln(w, line)
		}
	}
	return exitOK, nil
}

// folded lists names. Small grids and tables of choices stand as endings behind the grid they belong to.
func folded(names []string) string {
	var listed []string
	for _, name := range names {
		var endings []string
		first := true
		for _, e := range []string{"-quick", "_choices"} {
			if slices.Contains(names, name+e) {
				endings = append(endings, e)
			}
			of, cut := strings.CutSuffix(name, e)
			first = first && !(cut && slices.Contains(names, of))
		}
		if len(endings) > 0 {
			name += "[" + strings.Join(endings, "|") + "]"
		}
		if first {
			listed = append(listed, name)
		}
	}
	return strings.Join(listed, ", ")
}

// help prints a verb's flags.
func (v *verb) help(w io.Writer) error {
	f, _ := v.flagSet(program{}, &options{})
	for _, line := range wrapped("Usage: ogdl "+v.name+" [flags]"+v.args+": "+v.doc+". "+v.about, helpWidth) {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintln(w)
	f.VisitAll(func(fl *flag.Flag) {
		argument, doc := flag.UnquoteUsage(fl)
		if !slices.Contains([]string{"", "false", "0", "0s"}, fl.DefValue) {
			doc += " (default " + fl.DefValue + ")"
		}
		helpEntry(w, "-"+strings.TrimSpace(fl.Name+" "+argument), doc)
	})
	return nil
}

// helpMethod describes the keys of a method, or of "all".
func helpMethod(w io.Writer, name string, ms []spec.Method) error {
	var names []string
	found := false
	for _, m := range ms {
		names = append(names, m.Name)
		if name != m.Name && name != "all" {
			continue
		}
		if found {
			fmt.Fprintln(w)
		}
		found = true
		describeMethod(w, &m)
	}
	if !found {
		return fmt.Errorf("help %s: no such verb or method; allowed: verbs, %s, all%s", name, strings.Join(names, ", "), spec.DidYouMean(name, names))
	}
	return nil
}

// describeMethod lists what a [[grid]] block of the method may hold.
func describeMethod(w io.Writer, m *spec.Method) {
	fmt.Fprintf(w, "%s: %s.\n", m.Name, m.Doc)
	for _, line := range wrapped("Keys of a [[grid]] block with method = \""+m.Name+"\", in configurations with table = "+spec.Quoted(m.Tables)+
		". Lists multiply; pair = [\"a\", \"b\"] lets two advance together.", helpWidth) {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintln(w)
	helpEntry(w, spec.DatasetKey, strings.Join(m.Datasets(), ", "))
	helpEntry(w, "path", "in the place of "+spec.DatasetKey+", or beside it: a folder, or a file of JSON Lines, of your own")
	if !m.Once {
		helpEntry(w, "repetitions", "of the block's configurations: an integer, if not that of the whole configuration")
	}
	for _, q := range m.Parameters() {
		doc := q.Doc + ": " + q.Allowed()
		if q.Def != nil {
			doc += " (default " + q.Show(q.Def) + ")"
		}
		if q.Condition != "" {
			doc += "; only with " + q.Condition
		}
		helpEntry(w, q.Name, doc)
	}
}

// helpEntry writes a word and beside it what it means.
func helpEntry(w io.Writer, word, doc string) {
	for i, line := range wrapped(doc, helpWidth-helpIndent) {
		switch {
		case i > 0:
			word = ""
		case len(word) > helpIndent-4:
			fmt.Fprintf(w, "  %s\n", word)
			word = ""
		}
		fmt.Fprintf(w, "  %-*s%s\n", helpIndent-2, word, line)
	}
}

// wrapped breaks a text at blanks into lines of at most so many letters; a longer word has a
// line of its own.
func wrapped(text string, width int) (lines []string) {
	for _, word := range strings.Fields(text) {
		last := len(lines) - 1
		if last >= 0 && len(lines[last])+1+len(word) <= width {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}
