//go:build linux

// Potcompare is ogdl's side of scripts/compare_with_pot.sh: it solves the problems
// of an npz file and tells how much CPU time each took.
//
// It reads one JSON request a line from standard input and answers each with one
// line on standard output. {"op": "load", ...} reads a file of problems and
// {"op": "round"} solves all of them once. {"op": "learn", ...} makes a dictionary,
// and {"op": "write", ...} writes what the last round of embeddings found.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// request is one line of input.
type request struct {
	Op string `json:"op"`
	// For "load": the npz file, the kind of problem ("cold", "warm", "gw", "fgw",
	// "unmix", "embedding"), how many there are, the weight on the structures, the cap
	// of (F)GW's iterations, whose settings an unmixing has ("same": POT's, "default":
	// ogdl's) and the tolerances of POT's couplings in it.
	File   string  `json:"file"`
	Kind   string  `json:"kind"`
	Count  int     `json:"count"`
	Alpha  float64 `json:"alpha"`
	Iter   int     `json:"iterations"`
	Step   string  `json:"step"`
	TolRel float64 `json:"tol_rel"`
	TolAbs float64 `json:"tol_abs"`
	// For "learn", which reads Count graphs of File: the atoms and how to learn them.
	Atoms  int    `json:"atoms"`
	Order  int    `json:"order"`
	Epochs int    `json:"epochs"`
	Seed   uint64 `json:"seed"`
	// For "learn" and "write": the npz file to write.
	Out string `json:"out"`
}

// answer is one line of output: after "round" the CPU seconds per problem (one
// mean for all linear problems, which are too short for a clock of their own) and
// the objective of each problem; after "learn" the CPU seconds that it took.
type answer struct {
	Error   string    `json:"error,omitempty"`
	Seconds []float64 `json:"seconds,omitempty"`
	Values  []float64 `json:"values,omitempty"`
}

// solver solves all problems of a loaded file once.
type solver interface {
	round() (seconds, values []float64, err error)
}

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "potcompare:", err)
		os.Exit(1)
	}
}

// serve answers requests until the input ends.
func serve(r io.Reader, w io.Writer) error {
	out := json.NewEncoder(w)
	var loaded solver
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		var q request
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return err
		}
		var a answer
		var err error
		switch q.Op {
		case "load":
			loaded, err = load(q)
		case "round":
			if loaded == nil {
				err = errors.New("round before load")
				break
			}
			a.Seconds, a.Values, err = loaded.round()
		case "learn":
			var seconds float64
			seconds, err = learn(q)
			a.Seconds = []float64{seconds}
		case "write":
			u, ok := loaded.(*unmixing)
			if !ok || u.w == nil {
				err = errors.New("write, but no embeddings are loaded")
				break
			}
			err = u.write(q.Out)
		default:
			err = fmt.Errorf("unknown op %q", q.Op)
		}
		if err != nil {
			a = answer{Error: err.Error()}
		}
		if err := out.Encode(a); err != nil {
			return err
		}
	}
	return lines.Err()
}

// load reads the problems of one row.
func load(q request) (solver, error) {
	f, err := open(q.File)
	if err != nil {
		return nil, err
	}
	if q.Count < 1 {
		return nil, fmt.Errorf("count %d, at least 1 problem is needed", q.Count)
	}
	switch {
	case q.Kind == "cold" || q.Kind == "warm":
		return loadLinear(f, q)
	case q.Kind == "gw" || q.Kind == "fgw":
		return loadPairs(f, q)
	case q.Kind == "embedding" || q.Kind == "unmix" && slices.Contains([]string{"same", "default"}, q.Step):
		return loadUnmixing(f, q)
	}
	return nil, fmt.Errorf("unknown kind %q, step %q", q.Kind, q.Step)
}
