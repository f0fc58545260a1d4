package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// score is a row of a clustering table: the best configuration's mean over repetitions, in percent.
type score struct {
	dataset, method     string
	mean, deviation     float64
	repetitions, wanted int
}

// bands holds, by configuration, data set and method, a mean and how far from it a score may be.
type bands map[string]map[string]map[string][2]float64

// smallest is the narrowest band in percentage points: where repetitions agree, or a method has no random
// start, a decision near a tie still moves a score by tenths.
const smallest = 0.5

// band is how far the mean may move: three standard errors of the mean over repetitions.
func (s score) band() float64 {
	return max(smallest, 3*s.deviation/math.Sqrt(float64(s.repetitions)))
}

// readScores reads the CSV of a clustering table. A score that is missing has mean NaN.
func readScores(path string) ([]score, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) < 2 {
		return nil, fmt.Errorf("%s: no rows", path)
	}
	var column [6]int
	for i, name := range []string{"dataset", "method", "chosen_mean", "chosen_std", "repetitions", "repetitions_asked"} {
		if column[i] = slices.Index(rows[0], name); column[i] < 0 {
			return nil, fmt.Errorf("%s: no column %q, so it is no clustering table", path, name)
		}
	}
	var out []score
	for i, row := range rows[1:] {
		s := score{dataset: row[column[0]], method: row[column[1]], mean: math.NaN()}
		if ours := row[column[2]]; ours != "" {
			var errMean, errDeviation, errCount, errWanted error
			s.repetitions, errCount = strconv.Atoi(row[column[4]])
			s.wanted, errWanted = strconv.Atoi(row[column[5]])
			s.mean, errMean = strconv.ParseFloat(ours, 64)
			s.deviation, errDeviation = strconv.ParseFloat(row[column[3]], 64)
			if err := errors.Join(errMean, errDeviation, errCount, errWanted); err != nil || s.repetitions < 1 {
				return nil, fmt.Errorf("%s: row %d: not a score: %s (%w)", path, i+2, strings.Join(row, ","), err)
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// readBands reads the file of the bands.
func readBands(path string) (bands, error) {
	out := bands{}
	if _, err := toml.DecodeFile(path, &out); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}

// judgeScores writes a line per score; the error is errJudged if one is missing or outside its band.
func judgeScores(w io.Writer, config string, want map[string]map[string][2]float64, rows []score) error {
	if len(want) == 0 {
		return fmt.Errorf("no bands for %s; -update writes them from a table", config)
	}
	wrong := 0
	print := func(s score, verdict string, format string, args ...any) {
		if verdict != "ok" {
			wrong++
		}
		fmt.Fprintf(w, "%-6s %s %s %s: %s\n", verdict, config, s.dataset, s.method, fmt.Sprintf(format, args...))
	}
	judged := map[[2]string]bool{}
	for _, s := range rows {
		judged[[2]string{s.dataset, s.method}] = true
		b, ok := want[s.dataset][s.method]
		switch {
		case !ok:
			print(s, "FAILED", "%.2f, and there is no band for it", s.mean)
		case math.IsNaN(s.mean):
			print(s, "FAILED", "missing, want %.2f +- %.2f", b[0], b[1])
		case s.repetitions != s.wanted:
			print(s, "FAILED", "%.2f of %d repetitions, not of %d", s.mean, s.repetitions, s.wanted)
		case math.Abs(s.mean-b[0]) > b[1]:
			print(s, "FAILED", "%.2f left its band %.2f +- %.2f", s.mean, b[0], b[1])
		default:
			print(s, "ok", "%.2f in %.2f +- %.2f", s.mean, b[0], b[1])
		}
	}
	for _, dataset := range slices.Sorted(maps.Keys(want)) {
		for _, method := range slices.Sorted(maps.Keys(want[dataset])) {
			if !judged[[2]string{dataset, method}] {
				print(score{dataset: dataset, method: method}, "FAILED", "not in the table")
			}
		}
	}
	if wrong > 0 {
		fmt.Fprintf(w, "%d scores of %s are not what they were\n", wrong, config)
		return errJudged
	}
	return nil
}

const bandsHead = `# The scores that the nightly run holds to: Rand Index in percent of the best configuration, mean over
# repetitions, and how far from it a night may be: three standard errors over repetitions, at least half a
# point. Written by: go run ./scripts/dev/nightlycheck -update -config NAME TABLE.csv
`

// updateBands writes the bands of one configuration anew, and leaves the others.
func updateBands(path, config string, rows []score) error {
	all, err := readBands(path)
	if errors.Is(err, fs.ErrNotExist) {
		all, err = bands{}, nil
	}
	if err != nil {
		return err
	}
	mine := map[string]map[string][2]float64{}
	for _, s := range rows {
		if math.IsNaN(s.mean) || s.repetitions != s.wanted {
			return fmt.Errorf("%s %s: no band of a score that is missing or lacks repetitions", s.dataset, s.method)
		}
		if mine[s.dataset] == nil {
			mine[s.dataset] = map[string][2]float64{}
		}
		mine[s.dataset][s.method] = [2]float64{s.mean, s.band()}
	}
	all[config] = mine
	var b strings.Builder
	b.WriteString(bandsHead)
	for _, c := range slices.Sorted(maps.Keys(all)) {
		for _, dataset := range slices.Sorted(maps.Keys(all[c])) {
			fmt.Fprintf(&b, "\n[%q.%q]\n", c, dataset)
			for _, method := range slices.Sorted(maps.Keys(all[c][dataset])) {
				v := all[c][dataset][method]
				fmt.Fprintf(&b, "%q = [%.2f, %.2f]\n", method, v[0], v[1])
			}
		}
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}
