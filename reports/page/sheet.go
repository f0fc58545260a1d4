package page

import (
	_ "embed"
	"html/template"
	"io"

	"ogdl/reports/table"
)

//go:embed sheet.html
var sheetText string

// Sheet is a page of its own, in sections, that no configuration stands behind.
type Sheet struct {
	Title    string
	Lead     []string // paragraphs below the title
	Warnings []string
	Sections []Section
}

// File is one beside the page, with what it holds, as words that follow its name.
type File struct{ Name, Holds string }

// Section is a part of a sheet: texts, files, figures, tables in that order.
type Section struct {
	ID, Title string
	Text      []string
	Files     []File
	Figures   []Figure
	Tables    []table.Table
}

// HTML writes the page. Texts are escaped; figures are taken as they are.
func (s Sheet) HTML(w io.Writer) error {
	return execute(w, "sheet.html", struct {
		Sheet
		CSP   string
		Style template.CSS
	}{s, policy, template.CSS(pageStyle)})
}
