package reproduction

import (
	"fmt"
	"strings"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/reports/table"
)

// TestAuthors holds that runs of the authors' code become a row for each setting, and that a bad file is an error.
func TestAuthors(t *testing.T) {
	const head = "dataset,method,atoms,order,alpha,step_structure,step_features,batch,epochs,tool,version,commit,seed,cpu_seconds,rand_index\n"
	const key = "MUTAG,GDL,4,17,0.995,0.01,0.01,16,40,"
	if got, err := authors([]byte("\n")); err != nil || len(got.Rows) > 0 {
		t.Error(got.Rows, err)
	}
	got, err := authors([]byte(head + key + "released,v,c,0,100,70\n" + key + "released,v,c,1,200,72\n" + key + "ogdl,v,c,0,0.5,71\n" +
		"IMDB-M,GDL,12,10,,0.01,,16,5,released,v,c,0,100,53.5\n" +
		"IMDB-M,GDL_h,12,10,,0.01,0.001,16,1,released,v,c,0,100,33.3\n" +
		"ENZYMES,GDL,12,32,0.999999,0.01,0.01,64,2,released,v,c,0,100,67\n"))
	if err != nil || len(got.Rows) != 4 {
		t.Fatalf("%v, %+v", err, got.Rows)
	}
	must.Check(t, got.Few, `MUTAG GDL, 40 epochs (1); IMDB-M GDL, 5 epochs (0); IMDB-M GDL\_h, 1 epoch (0); ENZYMES GDL, 2 epochs (0)`, "settings with too few runs")
	var b strings.Builder
	must.Do(t, table.CSV(&b, got.Table))
	must.Contain(t, b.String(),
		`MUTAG,GDL,"4 atoms of order 17, alpha 0.995, steps 0.01 / 0.01, batches of 16, 40 epochs",70.02,0.29,,71,1,2,2,150,71,`, ",0.5,300\n",
		`IMDB-M,GDL,"12 atoms of order 10, steps 0.01, batches of 16, 5 epochs",55.08,0.28,,53.5,`,
		// The paper's values of the tables of their own.
		`IMDB-M,GDL_h,"12 atoms of order 10, steps 0.01 / 0.001, batches of 16, 1 epoch",57.12,0.3,,33.3,`,
		`64, 2 epochs",71.83,0.18,,67,`)
	runs := func(key, tool string, scores ...int) (lines string) {
		for seed, x := range scores {
			lines += fmt.Sprintf("%s%s,v,c,%d,1,%d\n", key, tool, seed, x)
		}
		return lines
	}
	const other = "BZR,GDL,8,35,0.9,0.01,0.01,16,4,"
	got, err = authors([]byte(head + runs(key, "released", 70, 71, 72) + runs(key, "ogdl", 70, 71, 72) + runs(other, "released", 50, 51, 52) + runs(other, "ogdl", 60, 61, 62)))
	got.Table = table.Table{}
	if want := (code{Whole: 1, Short: 1, ShortLower: 1, Agree: 1, Apart: 1, Widest: got.Widest}); err != nil || fmt.Sprint(got) != fmt.Sprint(want) || got.Widest < 3 || got.Widest > 6 {
		t.Errorf("%v, counts %+v, want %+v", err, got, want)
	}
	for _, bad := range []string{key + "other,v,c,0,1,70\n", key + "ogdl,v,c,0,1\n", key + "ogdl,v,c,0,x,70\n"} {
		if _, err := authors([]byte(head + bad)); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
	if got, err := authors(nil); err != nil || len(got.Rows) > 0 {
		t.Error(got, err)
	}
}
