package plots

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"html"
	"math"
	"regexp"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// fontFamily is what SVG texts are set in: the first two have the widths that the
// layout counted with.
const fontFamily = "Liberation Sans,Arial,Helvetica,sans-serif"

var (
	// svgStart is what vgsvg writes up to the first element.
	svgStart = regexp.MustCompile(`(?s)^.*?<svg [^>]*>\n`)
	// svgFont is how vgsvg names a font.
	svgFont = regexp.MustCompile(`\n\tstyle="font-family:[^;"]*;font-variant:[^;"]*;font-weight:[^;"]*;font-style:[^;"]*;`)
)

// head gives a file of vgsvg's the head and the fonts that the page wants.
func (f Figure) head(file []byte, w, h vg.Length) []byte {
	// The page makes the picture as wide as its place. The style keeps texts readable on a phone, where
	// the frame scrolls, and of modest size on a desk; a tall picture is not shrunk to the screen's height.
	head := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.5[1]g %.5[2]g" width="%.5[1]gpt" height="%.5[2]gpt" `, w, h) +
		fmt.Sprintf(`role="img" style="min-width:%.0fpx;max-width:%.0fpx;max-height:none">`, 1.25*w, 1.8*w) +
		fmt.Sprintf("\n<title>%s</title>\n<desc>%s</desc>\n", html.EscapeString(clean(f.Title)), html.EscapeString(clean(f.Alt))) + dark
	file = svgFont.ReplaceAllLiteral(file, []byte(` style="font-family:`+fontFamily+`;`))
	return svgStart.ReplaceAllLiteral(file, []byte(head))
}

// dark makes light and dark change places on a dark page; hues stay.
const dark = `<style>@media (prefers-color-scheme: dark){svg{filter:invert(.89) hue-rotate(180deg)}}</style>
`

// dpi is the resolution of PNG files.
const dpi = 300

// raster is the canvas of PNG files. It strokes long paths piece by piece: the rasteriser's time grows with the square of what
// a path has in one row of pixels.
type raster struct{ vgimg.PngCanvas }

// tagged adds the resolution to a PNG file, in dots per metre, behind its first chunk.
func tagged(file []byte) []byte {
	const head = 8 + 25 // the signature, and the chunk IHDR
	dots := uint32(math.Round(dpi / 0.0254))
	chunk := binary.BigEndian.AppendUint32([]byte("pHYs"), dots)
	chunk = append(binary.BigEndian.AppendUint32(chunk, dots), 1)
	sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(chunk))
	return slices.Concat(file[:head], []byte{0, 0, 0, 9}, chunk, sum, file[head:])
}

// pieceLength is how long the pieces are, at least.
const pieceLength = 100

func (c raster) Stroke(path vg.Path) {
	path, from := slices.Clone(path), 0
	for i, comp := range path {
		if i-from < pieceLength || comp.Type != vg.MoveComp && comp.Type != vg.LineComp {
			continue
		}
		c.PngCanvas.Stroke(path[from:i])
		from = i
		if comp.Type == vg.LineComp { // go on where the piece ended
			from = i - 1
			path[from].Type = vg.MoveComp
		}
	}
	c.PngCanvas.Stroke(path[from:])
}
