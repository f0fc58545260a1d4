package page

import (
	_ "embed"
	"io"

	"ogdl/reports/table"
)

//go:embed sheet.html
var sheetText string

// Sheet is a page of its own, in sections, without a configuration.
type Sheet struct {
	Title    string
	Lead     []string // paragraphs below the title
	Warnings []string
	Sections []Section
}

// File is a file next to the page. Holds describes its content, in words that follow the name.
type File struct{ Name, Holds string }

// Section is a part of a sheet: texts, files, figures, lists, tables in that order.
type Section struct {
	ID, Title string
	Text      []string
	Files     []File
	Figures   []Figure
	Lists     []Links
	Tables    []table.Table
}

// Links are a row of links, each to a figure that is seen while its link is followed.
type Links struct {
	Title   string
	Entries []Entry
}

// Entry is one of them. Figure is nil where an earlier entry has it.
type Entry struct {
	ID, Name string
	Figure   *Figure
}

// HTML writes the page. Texts are escaped; figures are taken as they are.
func (s Sheet) HTML(w io.Writer) error { return execute(w, "sheet.html", s) }
