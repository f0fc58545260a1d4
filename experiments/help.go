package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/words"
	"ogdl/reports/summary"
	"slices"
	"strings"
)

const exitCodes = "Exit codes: 0 success, also with skipped cells; 1 error, or no data for any cell; " +
	"3 some cells failed or differ from the ledger; 4 compare found a change; 130 interrupted."

// helpWidth is the width of the help in letters, helpIndent where explanations begin.
const (
	helpWidth  = 80
	helpIndent = 18
)

// help prints the help of a verb or method, of "all", "methods" or "configurations", or lists verbs.
func (p program) help(_ context.Context, topics []string) error {
	if len(topics) == 0 {
		fmt.Fprint(p.stdout, "Usage: ogdl [VERB] [flags]\n\n")
		for _, v := range verbs() {
			helpEntry(p.stdout, v.name, v.doc)
		}
		fmt.Fprintf(p.stdout, "\n%s\n", words.Wrap(exitCodes, helpWidth))
		return nil
	}
	topic, described := topics[0], p.methods.Described()
	names := spec.Texts(described, func(m spec.Method) string { return m.Name })
	v := verbOf(topic)
	switch {
	case v != nil:
		v.help(p.stdout)
	case topic == "methods":
		for _, m := range described {
			helpEntry(p.stdout, m.Name, m.Doc)
		}
	case topic == "configurations":
		fmt.Fprintln(p.stdout, strings.Join(grid.Names(), "\n"))
	case topic != "all" && !slices.Contains(names, topic):
		return fmt.Errorf("help %s: no such verb or method%s", topic, spec.Expected(topic, slices.Concat([]string{"verbs"}, names, []string{"all"})))
	}
	for i, m := range described {
		if topic == "all" && i > 0 {
			fmt.Fprintln(p.stdout)
		}
		if topic == "all" || topic == m.Name {
			describeMethod(p.stdout, &m)
		}
	}
	return nil
}

// help prints the usage, an example and the flags of a verb.
func (v *verb) help(w io.Writer) {
	f, _ := v.flagSet(program{})
	usage := strings.TrimSpace("Usage: ogdl " + v.name + " [flags] " + v.args)
	fmt.Fprintf(w, "%s\nExample: %s\n\n", words.Wrap(usage+": "+v.doc+". "+v.about, helpWidth), v.example)
	f.VisitAll(func(fl *flag.Flag) {
		argument, doc := flag.UnquoteUsage(fl)
		doc += words.If(!slices.Contains([]string{"", "false", "0", "0s"}, fl.DefValue), " (default %s)", fl.DefValue)
		helpEntry(w, "-"+strings.TrimSpace(fl.Name+" "+argument), doc)
	})
}

// describeMethod lists the keys of the method's [[grid]] blocks.
func describeMethod(w io.Writer, m *spec.Method) {
	fmt.Fprintf(w, "%s: %s.\n%s\n\n", m.Name, m.Doc, words.Wrap("Keys of a [[grid]] block with method = \""+m.Name+"\", in configurations with table = "+
		spec.Quoted(m.Tables)+". Lists multiply.", helpWidth))
	helpEntry(w, spec.DatasetKey, strings.Join(m.Datasets(), ", "))
	helpEntry(w, "path", "instead of "+spec.DatasetKey+", or with it: a folder, or a file of JSON Lines, of your own")
	if !m.Once {
		helpEntry(w, "repetitions", "of the block's configurations: an integer, if not that of the whole configuration")
	}
	if slices.ContainsFunc(m.Tables, summary.IsClustering) {
		helpEntry(w, "race", "true: compute only settings that can still be selected")
	}
	for _, q := range m.Parameters() {
		helpEntry(w, q.Name, q.Doc+": "+q.Allowed()+words.If(q.Def != nil, " (default %s)", q.Show(q.Def))+
			words.If(q.Condition != "", "; only with %s", q.Condition))
	}
}

// helpEntry prints a term and its explanation in a second column.
func helpEntry(w io.Writer, word, doc string) {
	if len(word) > helpIndent-4 {
		fmt.Fprintf(w, "  %s\n", word)
		word = ""
	}
	text := strings.ReplaceAll(words.Wrap(doc, helpWidth-helpIndent), "\n", "\n"+strings.Repeat(" ", helpIndent))
	fmt.Fprintf(w, "  %-*s%s\n", helpIndent-2, word, text)
}
