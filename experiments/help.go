package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"ogdl/configs"
)

const usageHead = `Usage:
  experiments [flags]         run the grid of a configuration and write its tables
  experiments embed [flags]   embed and assign new graphs with a fitted dictionary
  experiments -help METHOD    the keys of a method in a configuration ("all": of all)

A run computes the cells that the store does not hold yet; interrupt it and run
it again to go on. Exit codes: 0 all fine (some cells skipped included),
1 fatal (also if the data of no cell are there), 3 some cells failed, 130 interrupted.
`

// flagGroups are the flags in the order of the help; a test finds every flag in one.
var flagGroups = []struct {
	title string
	flags []string
}{
	{"What to compute", []string{"config", "set", "filter", "shard", "cell", "rerun", "force"}},
	{"How, and where", []string{"workers", "failfast", "verify", "data", "out"}},
	{"Instead of computing", []string{"list", "report", "plan", "calibrate", "limit", "shards", "json", "also", "gc", "yes", "version"}},
}

// helpWidth is the width of the help in letters, helpIndent where explanations begin.
const (
	helpWidth  = 100
	helpIndent = 24
)

// help answers -help: the flags and methods in short, or the keys of the method that
// stands behind it.
func help(w io.Writer, f *flag.FlagSet, ms []method) error {
	topic := f.Arg(0)
	if topic != "" && !strings.HasPrefix(topic, "-") {
		return helpMethod(w, topic, ms)
	}
	fmt.Fprint(w, usageHead)
	for _, g := range flagGroups {
		fmt.Fprintf(w, "\n%s:\n", g.title)
		for _, name := range g.flags {
			fl := f.Lookup(name)
			argument, doc := flag.UnquoteUsage(fl)
			if !slices.Contains([]string{"", "false", "0", "0s"}, fl.DefValue) {
				doc += " (default " + fl.DefValue + ")"
			}
			helpEntry(w, "-"+strings.TrimSpace(name+" "+argument), doc)
		}
	}
	fmt.Fprint(w, "\nMethods:\n")
	for _, m := range ms {
		helpEntry(w, m.name, m.doc)
	}
	fmt.Fprint(w, "\nConfigurations in the program (a comment at the head of each says what it is):\n")
	for _, line := range wrapped(strings.Join(configs.Names(), ", "), helpWidth-2) {
		fmt.Fprintln(w, "  "+line)
	}
	return nil
}

// helpMethod describes the keys of a method, or of "all".
func helpMethod(w io.Writer, name string, ms []method) error {
	var names []string
	found := false
	for _, m := range ms {
		names = append(names, m.name)
		if name != m.name && name != "all" {
			continue
		}
		if found {
			fmt.Fprintln(w)
		}
		found = true
		describeMethod(w, &m)
	}
	if !found {
		return fmt.Errorf("-help %s: no such method; allowed: %s, all%s", name, strings.Join(names, ", "), didYouMean(name, names))
	}
	return nil
}

// describeMethod lists what a [[grid]] block of the method may hold.
func describeMethod(w io.Writer, m *method) {
	fmt.Fprintf(w, "%s: %s.\n", m.name, m.doc)
	for _, line := range wrapped("Keys of a [[grid]] block with method = \""+m.name+"\", in configurations with table = "+quoted(m.tables)+
		". Lists multiply; pair = [\"a\", \"b\"] lets two advance together.", helpWidth) {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintln(w)
	helpEntry(w, datasetKey, strings.Join(m.datasets(), ", "))
	helpEntry(w, "path", "in the place of "+datasetKey+", or beside it: a folder of your own, as the working directory sees it")
	for _, q := range m.parameters() {
		doc := q.doc + ": " + q.allowed()
		if q.def != nil {
			doc += " (default " + q.show(q.def) + ")"
		}
		if q.condition != "" {
			doc += "; only with " + q.condition
		}
		helpEntry(w, q.name, doc)
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
