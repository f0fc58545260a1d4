package dev

import (
	"os"
	"os/exec"
	"testing"
)

// embeddingChecks are about how compare_with_pot.py judges an embedding: the
// objective against its definition, what counts as infeasible, and the bars.
const embeddingChecks = `
import numpy as np
import compare_with_pot as c

rng = np.random.default_rng(1)
C, atoms = rng.random((4, 4)), rng.random((3, 5, 5))
C, atoms = C + C.T, atoms + atoms.transpose(0, 2, 1)
P = dict(C=C, atoms=atoms)
w, T = np.array([0.2, 0.5, 0.3]), np.full((4, 5), 0.05)
T[0, 0] += 0.01; T[1, 1] += 0.01; T[0, 1] -= 0.01; T[1, 0] -= 0.01
model = sum(x * atom for x, atom in zip(w, atoms))
naive = sum((C[i, j] - model[k, l]) ** 2 * T[i, k] * T[j, l]
            for i in range(4) for j in range(4) for k in range(5) for l in range(5))
objective, wrong = c.returned(P, w, T)
assert abs(objective - naive) < 1e-12, (objective, naive)
assert wrong < 1e-12, wrong

heavy = T.copy(); heavy[0, 0] += 0.01
negative = T.copy(); negative[0, 0] -= 0.07; negative[1, 1] -= 0.07; negative[0, 1] += 0.07; negative[1, 0] += 0.07
for weights, plan in [(w, heavy), (w, negative), (w * 1.1, T), (np.array([-0.1, 0.6, 0.5]), T)]:
    _, wrong = c.returned(P, weights, plan)
    assert wrong > 5e-3, (weights, plan)

kept = dict(ogdl_median_ms=0.3, ogdl_mean_ms=0.8, difference=1.0, error=0.5, infeasible=1e-12, untrue=1e-12)
for change, strict, want in [
    ({}, True, []),
    (dict(ogdl_median_ms=0.31), True, ["median"]),
    (dict(ogdl_mean_ms=0.81), True, ["mean"]),
    (dict(ogdl_median_ms=9.0, ogdl_mean_ms=9.0), False, []),
    (dict(difference=1.1), True, ["objective"]),
    (dict(difference=2.4), False, []),
    (dict(difference=2.6), False, ["objective"]),
    (dict(difference=-9.0), True, []),
    (dict(infeasible=1e-6), False, ["feasibility"]),
    (dict(untrue=1e-6), False, ["reported objective"]),
    (dict(ogdl_mean_ms=2.0, difference=2.0), True, ["mean", "objective"]),
]:
    got = c.missed(dict(kept, **change), strict)
    assert got == want, (change, strict, got)
    assert c.embedding_line(dict(kept, **change, name="x", problems=1, pot_median_ms=1.0, pot_mean_ms=1.0, ratio=1.0,
        ratio_of_sums=1.0, pot_objective=1.0, ogdl_objective=1.0, missed=got)).endswith("! " + ", ".join(want) if want else "pass")
`

// exponentChecks are about the exponent of growing families: exact powers, apart
// for all orders and for the large ones, and none from fewer than three.
const exponentChecks = `
import compare_with_pot as c

def members(family, orders):
    return [dict(family=family, order=n, pot=5.0 * n**2, ogdl=(1e-3 if n < 100 else 1e-6) * n**3) for n in orders]

got = list(c.exponents([dict(name="another")] + members("linear OT", [100, 200, 1000]) + members("GW", [10, 20, 50, 100])))
assert got[:2] == ["linear OT, n = 100 .. 1000: POT takes n^2.00, ogdl n^3.00"] * 2, got
assert len(got) == 3 and got[2].startswith("GW, n = 10 .. 100: POT takes n^2.00, ogdl n^"), got
assert not list(c.exponents(members("GW", [10, 20])))

orders = [row["order"] for row in c.growing_rows(False) if row["kind"] == "gw"]
assert orders == [10, 20, 50, 100, 200, 500, 1000], orders
`

// TestComparisonWithPOT runs the checks in the folder of scripts, where there is POT.
func TestComparisonWithPOT(t *testing.T) {
	candidates := []string{"python3", "/usr/bin/python3"} // Debian's package serves Debian's interpreter
	if named := os.Getenv("PYTHON"); named != "" {
		candidates = []string{named}
	}
	for _, python := range candidates {
		if exec.Command(python, "-c", "from ot.lp.emd_wrap import emd_c").Run() != nil {
			continue
		}
		cmd := exec.Command(python, "-B", "-c", embeddingChecks+exponentChecks)
		cmd.Dir = ".." // where the module lies
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	t.Skipf("no POT in %v", candidates)
}
