package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"ogdl/internal/record"
)

func TestProgressText(t *testing.T) {
	c := mustParse(t, tiny).cells()[0]
	results := []*record.Record{{Status: record.OK}, {Status: record.Failed, ID: "ab", Reason: "no"}, {Status: record.Skipped}, {Status: record.OK}}
	show := func(p progress) {
		for _, r := range results {
			p.finished(c, r)
		}
		p.stop()
	}
	var b bytes.Buffer
	show(newProgress(&b, 3, 6, nil))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "failed ab (GDL D1 ") || !strings.HasSuffix(lines[0], ": no") {
		t.Errorf("the failure must be told at once:\n%s", b.String())
	}
	if !strings.HasPrefix(lines[1], "5 done, 1 failed, 2 pending, 1 skipped, ") || !strings.Contains(lines[1], "cells/") || strings.Contains(lines[1], "left") {
		t.Errorf("state %q", lines[1])
	}

	b.Reset()
	f := newForecast(burdens([]*cell{c, c}, nil), 1)
	for range 5 {
		f.learn(c, 15)
	}
	tl := &tally{started: time.Now().Add(-time.Minute), before: 3, total: 6, forecast: f}
	show(newLive(&b, tl))
	if s := tl.String(); !strings.Contains(s, "4.0 cells/min, about 30s left") {
		t.Errorf("four cells in a minute, two to go: %q", s)
	}
}
