// Package loader reads data sets in the text format of the TU collection
// (Morris et al., TUDataset, 2020), and in JSON Lines, into datasets.Dataset.
//
// A data set NAME of the collection is a folder with, one record a line,
//
//	NAME_A.txt                the edges, "i, j" with nodes counted from 1 over all graphs
//	NAME_graph_indicator.txt  for each node its graph, counted from 1
//	NAME_graph_labels.txt     for each graph its class, an integer (optional)
//	NAME_node_labels.txt      for each node one or several integers (optional)
//	NAME_node_attributes.txt  for each node one or several reals (optional)
//	NAME_edge_attributes.txt  for each line of NAME_A.txt one or several reals (optional)
//
// Edge attributes become weights if Options says so; otherwise they are not read, and the data set
// has UnusedEdges. Node labels or attributes that cannot be read are omitted, and the data set has
// the reason. Other files (edge labels, graph attributes, README) are not read, nor are names with
// a leading dot. The files may be in a folder raw inside the set's. Archives (.zip, .gz) are not
// read; errors name them.
//
// Files of the collection differ from the format's description, and are read as follows. Edges may
// be repeated, listed in one direction or both, and be loops; the resulting graphs are simple and
// undirected. Nodes may have no edge. Byte order marks, CRLF, blank lines and padding by spaces or
// tabs are skipped. Class and label values need not be contiguous; an integer may be written as a
// real (1.0). Graph ids may be missing from the indicator: if the class file has a line for every
// id, the graphs that are missing have order 0; if it has one for every id that occurs, or is
// missing itself, the ids that occur are counted up. Nodes of a graph need not be consecutive.
//
// A file of JSON Lines has one graph a line; all keys but edges are optional, and null is as if the
// key were not there:
//
//	{"edges": [[0, 1], [1, 2, 0.5]], "nodes": 4, "labels": ["C", "O", "C", "H"],
//	 "attributes": [[0.1], [0.2], [0], [1]], "class": "a", "name": "x"}
//
// Nodes count from 0. An edge is there once, or twice with one weight (none is 1), and joins two
// nodes. nodes is by default the number of labels or attributes, or else the largest node of an
// edge and one. Labels are integers or strings, attributes finite numbers, as many for every node;
// all graphs have labels, attributes and a class, or none. A graph has at most 131,072 nodes, and a
// file has at most a million nodes more than bytes.
//
// Everything else is an error that names file and line, and the key of a JSON line. Memory stays
// below 64 times the size of the files, whatever they hold; JSON Lines are read line by line, and
// all that this allocates is below 256 times the size, and 32 MB. Stream reads the same files one
// graph at a time.
package loader

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"ogdl/datasets"
	"ogdl/internal/words"
)

// Version counts the changes of what Load makes of the same files. It belongs
// to the identity of every result.
const Version = 1

// ErrMissing is the error of a data set without a folder, by its name or at a path. The wrapping
// error names the folder and, for a known name, the command that fetches the set.
var ErrMissing = errors.New("data set not there")

// DefaultDir is where scripts/fetch_tudatasets.sh puts data sets unless told
// otherwise.
const DefaultDir = "data"

// Values of Options.EdgeWeights, apart from "attribute:K".
const (
	EdgesUnweighted = "none"
	EdgesAttribute  = "attribute"
)

// Options say how files are read. The zero value is what the functions of the same names do.
type Options struct {
	// EdgeWeights says what weighs edges: "none" (or "") nothing, "attribute" their one attribute,
	// "attribute:K" the K-th of several, counted from 0. Weights must be finite and not negative,
	// and equal on all lines of one edge, whichever way it is listed. A third number of an edge in
	// JSON Lines is its one attribute.
	EdgeWeights string
}

// column returns the column of the attributes that weighs edges: -1 for none, -2 for the only one.
func (o Options) column() (int, error) {
	switch o.EdgeWeights {
	case "", EdgesUnweighted:
		return -1, nil
	case EdgesAttribute:
		return -2, nil
	}
	if text, ok := strings.CutPrefix(o.EdgeWeights, EdgesAttribute+":"); ok {
		if k, err := strconv.Atoi(text); err == nil && k >= 0 && strconv.Itoa(k) == text {
			return k, nil
		}
	}
	return 0, fmt.Errorf("loader: edge weights %q, want %q, %q or \"%s:K\" with K from 0 on", o.EdgeWeights, EdgesUnweighted, EdgesAttribute, EdgesAttribute)
}

// Load reads the data set of that name, the TU collection's or the paper's
// (see datasets.TUName), from dir/NAME/NAME_A.txt and so on. If there is no
// such folder the error wraps ErrMissing.
func Load(dir, name string) (*datasets.Dataset, error) { return Options{}.Load(dir, name) }

// Load is [Load] under these options.
func (o Options) Load(dir, name string) (*datasets.Dataset, error) {
	src, err := named(dir, name)
	if err != nil {
		return nil, err
	}
	return o.read(src)
}

// Find returns nil if Load would find the folder of the data set of that name, and otherwise the
// error that Load returns. It opens no file.
func Find(dir, name string) error {
	_, err := named(dir, name)
	return err
}

// named finds the data set of that name.
func named(dir, name string) (source, error) {
	tu := datasets.TUName(name)
	if tu == "" || tu == "." || tu == ".." || strings.ContainsAny(tu, "/\\\x00") {
		return source{}, fmt.Errorf("loader: %q is not the name of a data set", name)
	}
	folder := filepath.Join(dir, tu)
	info, err := os.Stat(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return source{}, cmp.Or(unpackFirst(folder), missing(dir, tu))
	}
	if err != nil {
		return source{}, fmt.Errorf("loader: %w", err)
	}
	if !info.IsDir() {
		return source{}, fmt.Errorf("loader: %s is not a folder", folder)
	}
	src := source{os.DirFS(folder), tu, folder}
	if raw := (source{os.DirFS(filepath.Join(folder, rawFolder)), tu, filepath.Join(folder, rawFolder)}); !src.has("_A.txt") && raw.has("_A.txt") {
		src = raw
	}
	return src, nil
}

// rawFolder is where PyTorch Geometric keeps the files of a set, inside its folder.
const rawFolder = "raw"

// unpackFirst returns the error for data that are next to path in an archive; nil where there is
// none.
func unpackFirst(path string) error {
	for _, ending := range []string{".zip", ".gz"} {
		if _, err := os.Stat(path + ending); err == nil {
			return fmt.Errorf("loader: %s: %w; %s is there: unpack it first", path, ErrMissing, path+ending)
		}
	}
	return nil
}

// alike ends a message about a missing path: files with the same name and another ending.
func alike(path string) string {
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	there, _ := filepath.Glob(stem + ".*")
	if len(there) == 0 || stem == "" || strings.HasSuffix(stem, string(filepath.Separator)) {
		return ""
	}
	return "; did you mean " + strings.Join(there, " or ") + "?"
}

func missing(dir, tu string) error {
	folder := filepath.Join(dir, tu)
	if !datasets.Fetchable(tu) {
		return fmt.Errorf("loader: %s: %w; it is not one that scripts/fetch_tudatasets.sh fetches either (those are %s, TRIANGLES and twitch_egos)",
			folder, ErrMissing, strings.Join(datasets.PaperSets(), ", "))
	}
	command := "scripts/fetch_tudatasets.sh " + tu
	if tu == "twitch_egos_partial" {
		command += " --from DIR-or-URL" // the public host does not have it
	}
	if filepath.Clean(dir) != DefaultDir {
		command += " -data " + words.Shell(dir)
	}
	return fmt.Errorf("loader: %s: %w; fetch it by: %s", folder, ErrMissing, command)
}

// LoadFolder reads a data set of one's own from path: a folder that must hold exactly one
// NAME_A.txt, whose name the data set has, or a file of JSON Lines (see [SetName]).
func LoadFolder(path string) (*datasets.Dataset, error) { return Options{}.LoadFolder(path) }

// LoadFolder is [LoadFolder] under these options.
func (o Options) LoadFolder(path string) (*datasets.Dataset, error) {
	if isLines(path) {
		s, err := o.openLines(path)
		if err != nil {
			return nil, err
		}
		defer s.Close()
		return s.all()
	}
	src, err := only(path)
	if err != nil {
		return nil, err
	}
	return o.read(src)
}

// only finds the one data set of a folder.
func only(path string) (source, error) {
	info, err := os.Stat(path)
	if isMissing(err) {
		return source{}, cmp.Or(unpackFirst(path), fmt.Errorf("loader: %s: %w%s", path, ErrMissing, alike(path)))
	}
	if err != nil {
		return source{}, fmt.Errorf("loader: %w", err)
	}
	if !info.IsDir() {
		return source{}, fmt.Errorf("loader: %s is neither a folder nor a regular file", path)
	}
	fsys := os.DirFS(path)
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return source{}, fmt.Errorf("loader: %w", err)
	}
	var names, archives []string
	for _, e := range entries {
		file := e.Name()
		switch name, ok := strings.CutSuffix(file, "_A.txt"); {
		case strings.HasPrefix(file, "."): // macOS writes ._NAME_A.txt
		case ok && name != "":
			names = append(names, name)
		case strings.HasSuffix(file, ".zip") || strings.HasSuffix(file, "_A.txt.gz"):
			archives = append(archives, file)
		}
	}
	switch len(names) {
	case 0:
		if raw := filepath.Join(path, rawFolder); filepath.Base(path) != rawFolder {
			if _, err := os.Stat(raw); err == nil {
				return only(raw)
			}
		}
		if len(archives) > 0 {
			return source{}, fmt.Errorf("loader: %s holds no file NAME_A.txt: unpack %s first", path, strings.Join(archives, ", "))
		}
		return source{}, fmt.Errorf("loader: %s holds no file NAME_A.txt", path)
	case 1:
		return source{fsys, names[0], path}, nil
	}
	return source{}, fmt.Errorf("loader: %s holds the edges of several data sets (%s), want one", path, strings.Join(names, ", "))
}

// Read reads the data set called name from the root of a file system: an
// archive/zip Reader's sub-folder, embedded files, a test's map.
func Read(fsys fs.FS, name string) (*datasets.Dataset, error) { return Options{}.Read(fsys, name) }

// Read is [Read] under these options.
func (o Options) Read(fsys fs.FS, name string) (*datasets.Dataset, error) {
	return o.read(source{fsys, name, ""})
}

func (o Options) read(src source) (*datasets.Dataset, error) {
	column, err := o.column()
	if err != nil {
		return nil, err
	}
	s, err := openStream(src)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	d, err := s.all()
	if err != nil || column == -1 {
		return d, err
	}
	if err := s.weights(d, src, column); err != nil {
		return nil, fmt.Errorf("loader: %w", err)
	}
	d.Digest = d.ComputeDigest()
	return d, nil
}

// all reads every graph.
func (s *Stream) all() (*datasets.Dataset, error) {
	d := s.Head()
	d.Graphs = make([]datasets.Graph, s.Len())
	var x scratch
	for k := range d.Graphs {
		if err := s.read(k, &d.Graphs[k], &x); err != nil {
			return nil, fmt.Errorf("loader: %w", err)
		}
	}
	d.Digest = d.ComputeDigest()
	return d, nil
}
