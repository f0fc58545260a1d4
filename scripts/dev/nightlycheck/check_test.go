package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/configs"
	"ogdl/internal/test/must"
)

// write puts a file into a folder of the test.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

const tableHead = "dataset,method,paper_mean,paper_std,paper_n,chosen_mean,chosen_std,chosen_n,chosen_minus_paper,repetitions,repetitions_asked,configurations," +
	"configurations_asked,alpha,lambda\n"

const night = tableHead +
	"MUTAG,GDL,70.02,0.29,5,69.897,2.7049,5,-0.12,5,5,6,6,0.995,0\n" +
	"MUTAG,SC,50.82,2.71,5,74.513,0,5,23.69,5,5,24,24,0.995,\n"

// TestScores writes bands from a table and holds that table and others to them.
func TestScores(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bands.toml")
	for _, config := range []string{"other", "x-quick"} {
		must.Do(t, run([]string{"-bands", file, "-config", config, "-update", write(t, "t.csv", night)}, os.Stdout))
	}
	all := must.Get(readBands(file))
	// 3 * 2.7049 / sqrt(5); and the smallest.
	must.Check(t, all["x-quick"]["MUTAG"]["GDL"], [2]float64{69.90, 3.63}, "band of GDL")
	must.Check(t, all["x-quick"]["MUTAG"]["SC"], [2]float64{74.51, smallest}, "band of SC")
	for _, c := range []struct {
		name, old, new string
		want           string // of what is written, if the check must find something
		err            string // the error, if it is one
	}{
		{"as it was", "", "", "", ""},
		{"within the band", "74.513", "74.95", "", ""},
		{"a planted loss", "74.513", "73.9", "FAILED x-quick MUTAG SC: 73.90 left its band 74.51 +- 0.50", ""},
		{"a planted gain", "69.897", "73.6", "FAILED x-quick MUTAG GDL: 73.60 left its band", ""},
		{"missing", "74.513,0", ",", "FAILED x-quick MUTAG SC: missing, want 74.51", ""},
		{"repetitions missing", "0,5,23.69,5,5", "0,4,23.69,4,5", "of 4 repetitions, not of 5", ""},
		{"not in the table", "MUTAG,SC", "MUTAG,SC2", "FAILED x-quick MUTAG SC: not in the table", ""},
		{"no band", "MUTAG,SC", "MUTAG,SC2", "there is no band for it", ""},
		{"no number", "74.513", "many", "", "row 3"},
		{"no repetitions", "0,5,23.69,5,5", "0,5,23.69,all,5", "", "row 3"},
		{"none asked for", "0,5,23.69,5,5", "0,5,23.69,5,", "", "row 3"},
		{"another table", "chosen_mean,chosen_std", "mine_mean,mine_std", "", `no column "chosen_mean"`},
		{"empty", night, "", "", "no rows"},
	} {
		var w strings.Builder
		err := run([]string{"-bands", file, "-config", "x-quick", write(t, "t.csv", strings.Replace(night, c.old, c.new, 1))}, &w)
		switch {
		case c.err != "":
			if err == nil || errors.Is(err, errJudged) || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want an error that holds %q", c.name, err, c.err)
			}
		case c.want != "":
			if !errors.Is(err, errJudged) || !strings.Contains(w.String(), c.want) {
				t.Errorf("%s: %v\n%swant %q", c.name, err, w.String(), c.want)
			}
		case err != nil || strings.Count(w.String(), "ok ") != 2:
			t.Errorf("%s: %v\n%s", c.name, err, w.String())
		}
	}
	for _, c := range []struct{ file, config, want string }{
		{file, "y-quick", "no bands for y-quick"},
		{write(t, "bad.toml", "x = ["), "x-quick", "bad.toml"},
	} {
		err := run([]string{"-bands", c.file, "-config", c.config, write(t, "t.csv", night)}, os.Stdout)
		must.Fail(t, err, c.want)
	}
	lacking := strings.Replace(night, "-0.12,5,5", "-0.12,3,5", 1)
	if err := run([]string{"-bands", file, "-config", "z", "-update", write(t, "t.csv", lacking)}, os.Stdout); err == nil {
		t.Error("a band was written from 3 of 5 repetitions")
	}
}

// TestCommittedBands reads the bands of the repository: they are of configurations that exist, and bands.
func TestCommittedBands(t *testing.T) {
	all := must.Get(readBands("bands.toml"))
	known := map[string]bool{}
	for _, name := range configs.Names() {
		known[strings.TrimSuffix(name, ".toml")] = true
	}
	count := 0
	for config, sets := range all {
		if !known[config] {
			t.Errorf("%s is no configuration", config)
		}
		for dataset, methods := range sets {
			for method, b := range methods {
				count++
				if !(b[0] >= 0 && b[0] <= 100 && b[1] >= smallest && b[1] < 15) {
					t.Errorf("%s %s %s: %v is no band of a Rand Index in percent", config, dataset, method, b)
				}
			}
		}
	}
	if n := len(all["clustering-quick"]); n != 8 || count < 48 {
		t.Errorf("bands for %d data sets of clustering-quick, %d in all", n, count)
	}
}

// stat is what benchstat writes of one package; the times of the second benchmark after, and p, are filled in.
const stat = `goos: linux
goarch: amd64
pkg: ogdl/ot
,before,,after,,,
,sec/op,CI,sec/op,CI,vs base,P
Cold/n=8-2,1.015e-07,2%%,1.02e-07,2%%,~,p=0.400 n=10
Warm-2,2e-06,2%%,2.1e-06,2%%,%s,p=%.3f n=10
Old-2,1.015e-07,2%%
New-2,,,1.315e-07,2%%
geomean,1.0150000000000013e-07,,1.3149999999999998e-07,,+29.56%%,

,before,,after,,,
,B/op,CI,B/op,CI,vs base,P
Warm-2,10,0%%,100,0%%,+900%%,p=0.000 n=10
geomean,10.000000000000002,,10.000000000000002,,+0.00%%,

,before,,after,,,
,objective,CI,objective,CI,vs base,P
Warm-2,5,0%%,9,0%%,+80.00%%,p=0.000 n=10
`

// TestSlower: the nightly fails where a benchmark is surely over 10 % slower, and where nothing is compared.
func TestSlower(t *testing.T) {
	for text, slow := range map[string]bool{
		fmt.Sprintf(stat, "~", 0.9):     false,
		fmt.Sprintf(stat, "~", 0.02):    false,
		fmt.Sprintf(stat, "+9.5%", 0.):  false,
		fmt.Sprintf(stat, "+10.5%", 0.): true,
		fmt.Sprintf(stat, "-50%", 0.):   false,
		"":                              true,
	} {
		out, err := exec.Command("awk", "-f", filepath.Join("..", "slower.awk"), write(t, "ot.csv", text)).CombinedOutput()
		must.Check(t, err != nil, slow, "a failure on\n%s\n%s", text, out)
		if text != "" {
			must.Contain(t, string(out), "ogdl/ot Warm-2: ", "ogdl/ot Cold/n=8-2: ~ p=0.400 n=10")
			must.Check(t, strings.Contains(string(out), "SLOWER ogdl/ot Warm-2"), slow, "%s", out)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, args := range [][]string{nil, {"-config", "x"}, {"-x"}} {
		if err := run(args, os.Stdout); err == nil || errors.Is(err, errJudged) {
			t.Errorf("%v: %v, want an error", args, err)
		}
	}
}
