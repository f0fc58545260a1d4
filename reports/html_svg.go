package reports

import (
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"html/template"
	"io"
	"regexp"
	"slices"
	"strings"
)

// What a figure may be made of: shapes, text and their groups. Nothing else is carried
// over, so that a file in the folder cannot bring scripts, links or requests onto the page.
var (
	svgElements = []string{"svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "title", "desc",
		"defs", "clipPath", "use", "linearGradient", "radialGradient", "stop", "marker", "pattern"}
	svgAttributes = []string{"id", "class", "d", "x", "y", "x1", "y1", "x2", "y2", "dx", "dy", "cx", "cy", "r", "rx", "ry", "fx", "fy",
		"width", "height", "points", "transform", "viewBox", "preserveAspectRatio", "style", "fill", "fill-opacity", "fill-rule", "stroke",
		"stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit",
		"opacity", "font-family", "font-size", "font-weight", "font-style", "text-anchor", "dominant-baseline", "clip-path", "clip-rule",
		"clipPathUnits", "gradientUnits", "gradientTransform", "offset", "stop-color", "stop-opacity", "href", "markerWidth", "markerHeight",
		"refX", "refY", "orient", "marker-end", "marker-start", "patternUnits", "version"}
)

// svgURL finds references: only those within the figure, url(#id), are kept.
var svgURL = regexp.MustCompile(`(?i)url\(\s*['"]?#([^)'"]*)['"]?\s*\)`)

// inlineSVG brings a figure into a form that can stand in the page: only known elements and
// attributes, ids that begin with prefix (those of several figures must not meet), and
// the figure's title and text for those who do not see it.
func inlineSVG(f Figure, prefix string) (template.HTML, error) {
	d := xml.NewDecoder(strings.NewReader(f.SVG))
	var b strings.Builder
	var open []string // written elements that are open
	skip := 0         // depth below an element that is left out
	seen := false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", fmt.Errorf("not SVG: %w", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			if skip > 0 || !slices.Contains(svgElements, name) || (len(open) == 0) != (name == "svg") || seen && len(open) == 0 {
				skip++
				continue
			}
			b.WriteString("<" + name)
			attributes := token.Attr
			if name == "svg" {
				seen = true
				attributes = frame(attributes)
				fmt.Fprintf(&b, ` role="img" aria-label="%s"`, html.EscapeString(visible(f.Title+". "+f.Alt)))
			}
			for _, a := range attributes {
				if v, ok := svgValue(a, prefix); ok {
					fmt.Fprintf(&b, ` %s="%s"`, a.Name.Local, html.EscapeString(v))
				}
			}
			b.WriteString(">")
			open = append(open, name)
		case xml.EndElement:
			if skip > 0 {
				skip--
				continue
			}
			b.WriteString("</" + open[len(open)-1] + ">")
			open = open[:len(open)-1]
		case xml.CharData:
			if skip == 0 && len(open) > 0 {
				b.WriteString(html.EscapeString(string(token)))
			}
		}
	}
	if !seen {
		return "", errors.New("not SVG: no svg element")
	}
	return template.HTML(b.String()), nil
}

// frame turns a figure's width and height into a viewBox, if it has none, so that it can be
// as wide as the screen is.
func frame(attributes []xml.Attr) []xml.Attr {
	var out []xml.Attr
	size := map[string]string{}
	box := false
	for _, a := range attributes {
		switch a.Name.Local {
		case "width", "height":
			size[a.Name.Local] = strings.TrimRight(a.Value, "ptxcmin% ")
		case "viewBox":
			box = true
			out = append(out, a)
		default:
			out = append(out, a)
		}
	}
	if !box && size["width"] != "" && size["height"] != "" {
		out = append(out, xml.Attr{Name: xml.Name{Local: "viewBox"}, Value: "0 0 " + size["width"] + " " + size["height"]})
	}
	return out
}

// svgValue is the value of an attribute as it may stand on the page, and false where it
// may not.
func svgValue(a xml.Attr, prefix string) (string, bool) {
	name, v := a.Name.Local, a.Value
	if !slices.Contains(svgAttributes, name) || a.Name.Space == "xmlns" {
		return "", false
	}
	switch name {
	case "id":
		return prefix + v, true
	case "href":
		if !strings.HasPrefix(v, "#") {
			return "", false
		}
		return "#" + prefix + v[1:], true
	case "class":
		return prefix + v, true // the page's own classes do not reach into a figure
	}
	left := svgURL.ReplaceAllString(v, "")
	if lower := strings.ToLower(left); strings.Contains(lower, "url") || strings.Contains(left, `\`) || strings.Contains(lower, "import") {
		return "", false
	}
	return svgURL.ReplaceAllString(v, "url(#"+prefix+"$1)"), true
}
