// Command sameresults shows that a change of the code left its results alone.
//
// It builds the program of an old commit and that of the working tree, runs configurations with both into fresh folders, and
// compares every file: records (without their provenance and the sum over it), npz, tables, figures and pages, byte for byte.
// Durations are left out. Then the new program runs on the old program's store, and must compute nothing.
//
// exceptions.toml names the old commit and the files that differ on purpose, each with its reason. Any other difference is an
// error, and so is an exception that no longer differs.
//
//	go run ./scripts/sameresults -data data smoke rivals mutag-check
package main

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

//go:embed exceptions.toml
var exceptionsFile string

// An exception is a group of files that differ on purpose.
type exception struct {
	Files  string // a pattern of path.Match over CONFIGURATION/FILE
	Reason string
	// Words have become others, in pairs: there, nothing else may differ but blanks and rules, which follow the widths of columns.
	Words []string
}

// blanks are what tables are aligned and ruled with.
var blanks = regexp.MustCompile(`[\s-]+`)

// covers reports whether the exception says all that differs between two files.
func (e *exception) covers(was, is []byte) bool {
	if len(e.Words) == 0 {
		return true
	}
	for _, b := range []*[]byte{&was, &is} {
		*b = blanks.ReplaceAllLiteral(*b, []byte(" "))
	}
	return strings.NewReplacer(e.Words...).Replace(string(was)) == string(is)
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "sameresults:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	var list struct {
		Old       string
		Exception []exception
	}
	meta, err := toml.Decode(exceptionsFile, &list)
	for i, e := range list.Exception {
		if len(e.Words)%2 != 0 {
			return fmt.Errorf("exceptions.toml: exception %d: %d words, want pairs", i+1, len(e.Words))
		}
	}
	if err != nil {
		return fmt.Errorf("exceptions.toml: %w", err)
	}
	if u := meta.Undecoded(); len(u) > 0 {
		return fmt.Errorf("exceptions.toml: unknown keys %v", u)
	}
	f := flag.NewFlagSet("sameresults", flag.ContinueOnError)
	old := f.String("old", list.Old, "the old commit")
	data := f.String("data", "data", "folder of the data sets")
	if err := f.Parse(args); err != nil {
		return err
	}
	configs := f.Args()
	if len(configs) == 0 {
		configs = []string{"smoke"}
	}
	dir, err := os.MkdirTemp("", "sameresults")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if *data, err = filepath.Abs(*data); err != nil {
		return err
	}
	tree, before, after := filepath.Join(dir, "tree"), filepath.Join(dir, "before"), filepath.Join(dir, "after")
	if err := command("", "git", "worktree", "add", "--detach", tree, *old); err != nil {
		return err
	}
	defer command("", "git", "worktree", "remove", "--force", tree)
	if err := errors.Join(command(tree, "go", "build", "-o", before, "./experiments"), command("", "go", "build", "-o", after, "./experiments")); err != nil {
		return err
	}
	var all differences
	for _, c := range configs {
		was, is := filepath.Join(dir, "was-"+c), filepath.Join(dir, "is-"+c)
		if err := errors.Join(command(dir, before, "-config", c, "-data", *data, "-out", was), command(dir, after, "-config", c, "-data", *data, "-out", is)); err != nil {
			return err
		}
		if err := all.add(c, was, is); err != nil {
			return err
		}
		said, err := exec.Command(after, "-config", c, "-data", *data, "-out", was).CombinedOutput()
		if err != nil || !bytes.Contains(said, []byte("computed 0 cells ")) {
			return fmt.Errorf("%s: the old store is not reused (%v):\n%s", c, err, said)
		}
	}
	return all.judge(out, list.Exception, configs)
}

// command runs a program in a folder; its output is shown only if it fails.
func command(dir, name string, args ...string) error {
	c := exec.Command(name, args...)
	c.Dir = dir
	if said, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", c, err, said)
	}
	return nil
}

// differences are the files that differ, by CONFIGURATION/FILE.
type differences struct {
	files    map[string]difference
	compared int
}

// difference says what differs.
type difference struct {
	what    string // gone, new, differs
	was, is []byte
}

// add compares two result folders of a configuration.
func (d *differences) add(config, was, is string) error {
	a, err1 := results(was)
	b, err2 := results(is)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if d.files == nil {
		d.files = map[string]difference{}
	}
	for name := range a {
		d.compared++
		if _, ok := b[name]; !ok {
			d.files[config+"/"+name] = difference{"gone", a[name], nil}
		} else if !bytes.Equal(a[name], b[name]) {
			d.files[config+"/"+name] = difference{"differs", a[name], b[name]}
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			d.files[config+"/"+name] = difference{"new", nil, b[name]}
		}
	}
	return nil
}

// judge prints the differences, and returns an error where one has no reason or an exception of these configurations has no difference.
func (d *differences) judge(out io.Writer, exceptions []exception, configs []string) error {
	var errs []error
	used := make([]bool, len(exceptions))
	for _, name := range slices.Sorted(maps.Keys(d.files)) {
		x, reason := d.files[name], ""
		for i, e := range exceptions {
			ok, err := path.Match(e.Files, name)
			if err != nil {
				return fmt.Errorf("exceptions.toml: %q: %w", e.Files, err)
			}
			if ok && e.covers(x.was, x.is) {
				used[i], reason = true, e.Reason
			}
		}
		if reason == "" {
			errs = append(errs, fmt.Errorf("%s %s", name, x.what))
			continue
		}
		fmt.Fprintf(out, "%s %s: %s\n", name, x.what, reason)
	}
	for i, e := range exceptions {
		first, _, _ := strings.Cut(e.Files, "/")
		asked := slices.ContainsFunc(configs, func(c string) bool { ok, _ := path.Match(first, c); return ok })
		if asked && !used[i] {
			errs = append(errs, fmt.Errorf("exceptions.toml: nothing that %q names differs any more", e.Files))
		}
	}
	fmt.Fprintf(out, "%d files compared, %d differ, %d without a reason\n", d.compared, len(d.files), len(errs))
	return errors.Join(errs...)
}

// results reads what a run has left and promises, by its name within the folder.
func results(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			if err == nil && e.Name() == "timings" {
				return fs.SkipDir
			}
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if strings.HasSuffix(rel, ".timing.json") || rel == "store/verified" || rel == "store/digests.json" || strings.HasPrefix(e.Name(), ".") {
			return nil
		}
		b, err := os.ReadFile(name)
		switch {
		case err != nil:
		case strings.HasPrefix(rel, "store/") && path.Ext(rel) == ".json":
			b, err = withoutProvenance(b)
		case strings.HasPrefix(rel, "store/products/"):
			// The name ends in the sum of the whole, in which the provenance is.
			rel, _, _ = strings.Cut(rel, "-")
			b, err = blockWithoutProvenance(b)
		}
		files[rel] = b
		return err
	})
	return files, err
}

// withoutProvenance is a record, or the head of a product, without what says which program made it.
func withoutProvenance(b []byte) ([]byte, error) {
	var file map[string]json.RawMessage
	if err := json.Unmarshal(b, &file); err != nil {
		return nil, err
	}
	delete(file, "sha256")
	for key, value := range file {
		var inner map[string]json.RawMessage
		if json.Unmarshal(value, &inner) != nil {
			continue
		}
		delete(inner, "provenance")
		var err error
		if file[key], err = json.Marshal(inner); err != nil {
			return nil, err
		}
	}
	return json.Marshal(file)
}

// provenance is that of a block of a product, which says it in a text of 32-bit characters.
var provenance = regexp.MustCompile(`"provenance":\{[^{}]*\},`)

// blockWithoutProvenance is what the arrays of a block of a product hold.
func blockWithoutProvenance(b []byte) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	var all bytes.Buffer
	for _, file := range z.File {
		r, err := file.Open()
		if err != nil {
			return nil, err
		}
		b, err := io.ReadAll(r)
		if err := errors.Join(err, r.Close()); err != nil {
			return nil, err
		}
		if file.Name == "block.npy" {
			b = provenance.ReplaceAll(bytes.ReplaceAll(b, []byte{0}, nil), nil)
		}
		fmt.Fprintf(&all, "%s %d\n%s", file.Name, len(b), b)
	}
	return all.Bytes(), nil
}
