package dev

import (
	"os"
	"os/exec"
	"testing"
)

// releasedChecks hold the parts of compare_with_released.py that need no checkout: files of another commit are refused by name, the
// settings are different ones, and a summary has the mean and the deviation of each tool next to the paper's value.
const releasedChecks = `
import contextlib, io, os, sys, tempfile
import compare_with_released as c

def refusal(folder):
    try:
        c.check(folder)
    except SystemExit as e:
        return str(e)
    return ""

with tempfile.TemporaryDirectory() as folder:
    first = next(iter(c.FILES))
    assert first in refusal(folder) and "no such file" in refusal(folder), refusal(folder)
    os.mkdir(os.path.join(folder, "code"))
    with open(os.path.join(folder, "code", first), "w") as f:
        f.write("changed")
    assert first in refusal(folder) and "differs from commit " + c.COMMIT in refusal(folder), refusal(folder)

keys = [tuple(c.key(s)) for s in c.SETTINGS]
assert len(set(keys)) == len(keys)
assert {s[0] for s in c.SETTINGS} == set(c.SETS)
assert all(s[-1] >= (5 if s[0] in ("MUTAG", "IMDB-B", "IMDB-M") else 3) for s in c.SETTINGS if s[1] == "GDL")
assert keys[0] == ("MUTAG", "GDL", "4", "17", "0.995", "0.01", "0.01", "16", "40"), keys[0]

rows = [dict(zip(c.COLUMNS, list(keys[0]) + [tool, "v", "x", str(seed), "2.0", value]))
        for tool, values in [("released", ["70", "72"]), ("ogdl", ["69"])] for seed, value in enumerate(values)]
text = io.StringIO()
c.summary(rows, text)
assert text.getvalue() == ("MUTAG, GDL, 4 atoms of order 17, alpha 0.995, steps 0.01 / 0.01, batches of 16, 40 epochs\n"
    "    released 71.00 (1.00) 2 runs 4 s   ogdl 69.00 1 runs 2 s   paper 70.02 (0.29)\n"), text.getvalue()
`

func TestReleased(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	cmd := exec.Command(python, "-c", releasedChecks)
	cmd.Dir = ".." // where the module lies
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
