package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestJudge has a record whose provenance alone changed, a table that changed, and a file that went.
func TestJudge(t *testing.T) {
	was, is := t.TempDir(), t.TempDir()
	write := func(dir, name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(was, "store/ab/ab1.json", `{"schema":1,"sha256":"x","record":{"id":"ab1","provenance":{"sources":"old"},"scores":{"ri":1}}}`+"\n")
	write(is, "store/ab/ab1.json", `{"schema":1,"sha256":"y","record":{"id":"ab1","provenance":{"sources":"new"},"scores":{"ri":1}}}`+"\n")
	write(was, "store/ab/ab1.timing.json", `1`)
	write(was, "c/timings/a.csv", `1`)
	write(was, "c/table.csv", "mean one  x\n----\n")
	write(is, "c/table.csv", "mean  three x\n-------\n")
	write(was, "c/gone.txt", "")
	var d differences
	if err := d.add("c", was, is); err != nil {
		t.Fatal(err)
	}
	changed, gone := exception{Files: "c/c/table.csv", Reason: "a reason"}, exception{Files: "c/c/gone.*", Reason: "another"}
	renamed := changed
	renamed.Words = []string{"one", "three"}
	for _, x := range []struct {
		exceptions []exception
		want       string // in the error, "" for none
	}{
		{[]exception{changed, gone}, ""},
		{[]exception{renamed, gone}, ""},
		{[]exception{{Files: "c/c/table.csv", Reason: "other words", Words: []string{"one", "two"}}, gone}, "c/c/table.csv differs"},
		{[]exception{changed}, "c/c/gone.txt gone"},
		{[]exception{gone}, "c/c/table.csv differs"},
		{[]exception{changed, gone, {Files: "*/store/*/*.json", Reason: "stale"}}, "differs any more"},
		{[]exception{changed, gone, {Files: "d/c/table.csv", Reason: "of a configuration that was not run"}}, ""},
	} {
		err := d.judge(&strings.Builder{}, x.exceptions, []string{"c"})
		if (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v: %v, want %q", x.exceptions, err, x.want)
		}
	}
	write(is, "store/ab/ab1.json", `{"schema":1,"sha256":"y","record":{"id":"ab1","provenance":{},"scores":{"ri":0.5}}}`)
	d = differences{}
	if err := d.add("c", was, is); err != nil {
		t.Fatal(err)
	}
	if d.files["c/store/ab/ab1.json"].what != "differs" {
		t.Error("another score is no difference")
	}
}
