package run

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

func TestProgressText(t *testing.T) {
	c := exptest.Parse(t, exptest.Tiny).Cells()[0]
	results := []*record.Record{{Status: record.OK}, {Status: record.Failed, ID: "ab", Reason: "no"}, {Status: record.Skipped}, {Status: record.OK}}
	show := func(p *progress) {
		for _, r := range results {
			p.finished(c, r, 0)
		}
		p.stop()
	}
	var b bytes.Buffer
	show(newProgress(&b, 3, 6, newForecast(nil, nil, 1)))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "failed ab (GDL D1 ") || !strings.HasSuffix(lines[0], ": no") {
		t.Errorf("the failure must be reported at once:\n%s", b.String())
	}
	if !strings.HasPrefix(lines[1], "5 done, 1 failed, 2 pending, 1 skipped, ") || !strings.Contains(lines[1], "cells/") || strings.Contains(lines[1], "left") {
		t.Errorf("state %q", lines[1])
	}

	b.Reset()
	f := newForecast([]*spec.Cell{c, c, c, c, c, c}, nil, 1)
	f.took.Add(c.Kind(), 15, c.Work(), 0)
	tl := newProgress(&b, 3, 6, f)
	tl.started = time.Now().Add(-time.Minute)
	tl.addBar(&b)
	show(tl)
	must.Contain(t, tl.String(), "4.0 cells/min, about 30s left")
}

// TestProductProgress: a line says how far the products under way are, in logs and
// on terminals, and no more once they are done or have failed.
func TestProductProgress(t *testing.T) {
	const label = "IMDB-M distances alpha=1"
	var b bytes.Buffer
	p := newProgress(&b, 0, 6, newForecast(nil, nil, 1))
	p.last = time.Now().Add(-time.Minute)
	p.product(label, 12, 48)
	p.product(label, 13, 48) // too early for another line
	const want = "0 done, 0 failed, 6 pending; IMDB-M distances alpha=1: 12/48 blocks\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	p.product("MUTAG distances alpha=0.5", 1, 2)
	if s := p.String(); !strings.HasSuffix(s, label+": 13/48 blocks; MUTAG distances alpha=0.5: 1/2 blocks") {
		t.Errorf("%q", s)
	}
	p.product(label, 48, 48)
	p.product("MUTAG distances alpha=0.5", 2, 2)
	if s := p.String(); strings.Contains(s, "blocks") {
		t.Errorf("%q", s)
	}

	b.Reset()
	l := newProgress(&b, 0, 6, newForecast(nil, nil, 1))
	l.addBar(&b)
	l.product(label, 12, 48)
	l.stop()
	if s := l.String(); !strings.HasSuffix(s, label+": 12/48 blocks") {
		t.Errorf("%q", s)
	}
}
