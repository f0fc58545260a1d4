// Package ogdl is the root of the module and knows what the program is made of: [Sources]
// is the same however it was built. What computes is in the packages below.
package ogdl

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"go/scanner"
	"go/token"
	"hash"
	"io/fs"
	"path"
	"strings"
	"sync"
)

// sources holds the code of every package that decides a number, and more: SourceFiles leaves tests out.
// reports and configs are not here: they show numbers and name cells.
//
//go:embed go.mod go.sum
//go:embed ot/*.go ot/*/*.go gdl/*.go eval/*.go eval/*/*.go
//go:embed baselines/*/*.go
//go:embed datasets/*.go datasets/*/*.go internal/*/*.go internal/vec/*.s experiments/*.go experiments/internal/*/*.go
var sources embed.FS

// SourceFiles lists the files that the digest [Sources] covers, sorted: go.mod, go.sum and the Go
// and assembly files of all packages that decide numbers, whatever the system they are for, without
// tests and packages that serve tests (named ...test). Paths are relative to the module's root.
func SourceFiles() []string {
	var files []string
	err := fs.WalkDir(sources, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasSuffix(name, "test"):
			return fs.SkipDir
		case !d.IsDir() && !strings.HasSuffix(name, "_test.go"):
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		panic("ogdl: " + err.Error()) // built in
	}
	return files
}

// Sources is a digest of the sources that decide numbers, 16 hexadecimal digits: the beginning of
// a SHA-256 over the files of [SourceFiles] and their names. Comments, build
// constraints and line ends play no part, nor does how the program was built: `go run`, a binary
// and an image of one checkout say the same. It is computed once, in some 50 ms.
func Sources() string { return sum() }

var sum = sync.OnceValue(func() string {
	h := sha256.New()
	for _, name := range SourceFiles() {
		src, err := sources.ReadFile(name)
		if err != nil {
			panic("ogdl: " + err.Error()) // built in
		}
		fmt.Fprintf(h, "file %q\n", name)
		addFile(h, name, src)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
})

// addFile writes what counts of a file to the digest: the tokens of Go, else all of it.
func addFile(h hash.Hash, name string, src []byte) {
	if path.Ext(name) != ".go" {
		h.Write(bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")))
		return
	}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile(name, -1, len(src))
	s.Init(file, src, nil, 0) // comments are skipped
	for {
		_, tok, text := s.Scan()
		if tok == token.EOF {
			return
		}
		if tok == token.SEMICOLON {
			text = ";" // written, or the end of a line
		}
		fmt.Fprintf(h, "%s %q\n", tok, text)
	}
}
