package reports

import (
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ogdl/internal/record"
)

// gridData is a table as the page's script reads it: by columns, so that what repeats is
// written once.
type gridData struct {
	ID      string        `json:"id"`
	Columns []*gridColumn `json:"columns"`
	Rows    int           `json:"rows"`
	// Shared by all rows that open: details in columns of their own.
	Details []*gridColumn `json:"details,omitempty"`
	// Run is the command line that computes a row's cell again, before its id.
	Run string `json:"run,omitempty"`
}

// gridColumn holds the texts of a column: of row i text D[V[i]], or D[i] where V is
// absent because hardly any text comes twice.
type gridColumn struct {
	Name   string   `json:"n"`
	Right  bool     `json:"r,omitempty"` // numbers: sorted by value
	Filter bool     `json:"f,omitempty"` // has a menu of its values
	D      []string `json:"d"`
	V      []int    `json:"v,omitempty"`
	index  map[string]int
}

// add appends the text of the next row.
func (c *gridColumn) add(text string) {
	if c.index == nil {
		c.index = map[string]int{}
	}
	i, ok := c.index[text]
	if !ok {
		i = len(c.D)
		c.index[text] = i
		c.D = append(c.D, text)
	}
	c.V = append(c.V, i)
}

// pack drops the indices of a column of which most texts are their own.
func (c *gridColumn) pack() {
	if len(c.D)*4 < len(c.V)*3 {
		return
	}
	texts := make([]string, len(c.V))
	for i, v := range c.V {
		texts[i] = c.D[v]
	}
	c.D, c.V = texts, nil
}

// menuValues is how many values a menu has at most.
const menuValues = 40

// addGrid gives a grid its id.
func (v *view) addGrid(g *gridData) string {
	g.ID = fmt.Sprintf("grid%d", len(v.grids)+1)
	for _, c := range slices.Concat(g.Columns, g.Details) {
		c.pack()
	}
	v.grids = append(v.grids, g)
	return g.ID
}

// gridOf turns a table into data.
func gridOf(t Table) *gridData {
	g := &gridData{Rows: len(t.Rows)}
	for j, column := range t.Columns {
		c := &gridColumn{Name: column.Name, Right: column.Right}
		for _, row := range t.Rows {
			c.add(row[j].Plain())
		}
		c.Filter = (!column.Right || column.Key) && len(c.D) > 1 && len(c.D) <= menuValues
		g.Columns = append(g.Columns, c)
	}
	return g
}

// addCells makes the table of all cells, with durations if timed.
func (v *view) addCells(p Page, timed bool) tableView {
	k := kindOf(PaperNumbers(), p.Spec.Table)
	lines := group(k, p.Spec, p.Records)
	names := namesOf(lines)
	timings := map[string]record.Timing{}
	if timed {
		for _, tm := range p.Timings {
			timings[tm.ID] = tm
		}
	}
	g := &gridData{Run: "-config " + p.Spec.Name + " -cell "}
	column := func(list *[]*gridColumn, name string, right bool) *gridColumn {
		c := &gridColumn{Name: name, Right: right}
		*list = append(*list, c)
		return c
	}
	id, dataset, method := column(&g.Columns, "id", false), column(&g.Columns, "data set", false), column(&g.Columns, "method", false)
	var parameters []*gridColumn
	for _, c := range paramColumns(lines, names) {
		parameters = append(parameters, column(&g.Columns, c.Name, c.Right))
	}
	seed, repetition := column(&g.Columns, "seed", true), column(&g.Columns, "repetition", true)
	status := column(&g.Columns, "status", false)
	if timed {
		seconds, cpu := column(&g.Columns, "seconds", true), column(&g.Columns, "CPU seconds", true)
		memory, host := column(&g.Columns, "peak memory, MB", true), column(&g.Columns, "host", false)
		defer func() { host.Filter = len(host.index) > 1 && len(host.index) <= menuValues }()
		for _, r := range runsOf(p.Spec, p.Records) {
			tm, ok := timings[r.ID]
			seconds.add(known(ok, tm.Seconds, 3))
			cpu.add(known(ok && tm.CPUSeconds > 0, tm.CPUSeconds, 3))
			memory.add(known(ok && tm.PeakRSS > 0, float64(tm.PeakRSS)/1e6, 1))
			host.add(tm.Host)
		}
	}
	type scoreColumn struct {
		name     string
		scale    float64
		decimals int
		column   *gridColumn
	}
	var scores []scoreColumn
	for _, s := range scoreNames(p.Records) {
		switch {
		case s == "ri" || s == "ari":
			scores = append(scores, scoreColumn{s, 100, 2, column(&g.Columns, map[string]string{"ri": "RI, %", "ari": "ARI, %"}[s], true)})
		case s == "objective":
			scores = append(scores, scoreColumn{s, 1, 6, column(&g.Columns, s, true)})
		case !timed:
			scores = append(scores, scoreColumn{s, 1, -1, column(&g.Details, s, true)})
		}
	}
	detail := func(name string) *gridColumn { return column(&g.Details, name, false) }
	others, reason, stack := detail("parameters"), detail("reason"), detail("stack")
	var notes, solves, loss, revision, digest *gridColumn
	if !timed {
		solves, loss, notes = detail("solves"), detail("loss of first and last epoch"), detail("notes")
		revision, digest = detail("computed by"), detail("data digest")
	}
	for _, l := range lines {
		for _, c := range l.configs {
			rest := ""
			if fixed := without(c.names(), names); len(fixed) > 0 {
				rest = c.describe(fixed)
			}
			for _, r := range c.runs {
				g.Rows++
				id.add(r.ID)
				dataset.add(l.dataset)
				method.add(l.method)
				for i, cell := range paramCells(c.params, names) {
					parameters[i].add(gridText(cell))
				}
				seed.add(strconv.FormatInt(r.BaseSeed, 10))
				repetition.add(strconv.Itoa(r.Repetition))
				status.add(r.status())
				for _, s := range scores {
					text := ""
					if x, ok := r.score(s.name); ok {
						text = gridText(Num(x*s.scale, s.decimals))
					}
					s.column.add(text)
				}
				rec := r.rec
				if rec == nil {
					rec = &record.Record{}
				}
				others.add(rest)
				reason.add(rec.Reason)
				stack.add(rec.Stack)
				if !timed {
					solves.add(solvesText(rec.Convergence))
					loss.add(lossText(rec.EpochLoss))
					notes.add(strings.Join(rec.Notes, "\n"))
					revision.add(provenanceText(rec.Provenance))
					digest.add(rec.Digest)
				}
			}
		}
	}
	for _, c := range g.Columns {
		if c != id && len(c.index) > 1 && len(c.index) <= menuValues && (!c.Right || slices.Contains(parameters, c)) {
			c.Filter = true
		}
	}
	w := tableView{Name: "cells", Title: "Every cell", Total: g.Rows, Details: true}
	for _, t := range p.Tables {
		if strings.HasSuffix(t.Name, "_cells") && !timed {
			w.File = t.Name + ".csv"
		}
	}
	for _, c := range g.Columns {
		w.Head = append(w.Head, headView{c.Name, c.Right})
	}
	w.Grid = v.addGrid(g)
	return w
}

// gridText is empty where nothing is to be seen.
func gridText(c Cell) string {
	if c.Kind == Blank || c.Kind == Missing {
		return ""
	}
	return c.Plain()
}

func known(ok bool, x float64, decimals int) string {
	if !ok {
		return ""
	}
	return gridText(Num(x, decimals))
}

func without(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(others, n) })
}

// scoreNames lists the scores of all records: the ones that tables show first, then by name.
func scoreNames(recs []record.Record) []string {
	all := map[string]bool{}
	for _, r := range recs {
		for s := range r.Scores {
			all[s] = true
		}
	}
	var out []string
	for _, s := range []string{"ri", "ari", "objective"} {
		if all[s] {
			out = append(out, s)
			delete(all, s)
		}
	}
	return append(out, slices.Sorted(maps.Keys(all))...)
}

func solvesText(c record.Convergence) string {
	if c.Solves == 0 {
		return ""
	}
	return fmt.Sprintf("%d solves, %d at their iteration cap, %d iterations, largest gap %s", c.Solves, c.CapHits, c.Iterations, exact(c.MaxGap))
}

func lossText(loss []float64) string {
	if len(loss) == 0 {
		return ""
	}
	return fmt.Sprintf("%s, %s after %s", exact(loss[0]), exact(loss[len(loss)-1]), plural(len(loss), "epoch", "epochs"))
}

func provenanceText(p record.Provenance) string {
	if p == (record.Provenance{}) {
		return ""
	}
	return p.Revision + ", " + p.GoVersion + ", " + p.GOARCH
}

// Data is the grids as JSON for a script element: encoding/json writes <, > and & as
// \u escapes, so no text of a record can end the element.
func (v *view) Data() (template.JS, error) {
	b, err := json.Marshal(v.grids)
	return template.JS(b), err
}

func (v *view) write(w io.Writer) error {
	t, err := template.New("page.html").ParseFS(pageFiles, "page/page.html")
	if err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	if err := t.Execute(w, v); err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	return nil
}
