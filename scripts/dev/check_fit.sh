#!/usr/bin/env bash
# Plays a new user with graphs of their own, from a fresh clone: JSON Lines from networkx, fit, new graphs through embed, everything read
# back in Python, and the page in Chromium at 390 and 1280 pixels, light and dark.
#
#   scripts/dev/check_fit.sh [-shots DIR]
#
# Needs git, and a python3 with numpy and networkx (Debian: python3-numpy, python3-networkx); without one it says so and succeeds. PYTHON names another.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
shots=()
[ "${1:-}" != -shots ] || shots=(-shots "${2:?"-shots wants a folder"}")
python=
for name in ${PYTHON:-python3 /usr/bin/python3}; do
  [ -n "$python" ] || ! "$name" -c 'import numpy, networkx' 2>/dev/null || python=$name
done
[ -n "$python" ] || { echo "skipped: no python3 with numpy and networkx"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q "$root" "$work/clone"
cd "$work/clone"
export PYTHONPATH=$work/clone/python PYTHONDONTWRITEBYTECODE=1

# Graphs of one, two and three blocks; five new ones, of which one has a label that the others have not.
cat >"$work/write.py" <<'PYTHON'
import sys
import networkx as nx
import ogdl

def blocks(k, seed):
    sizes = [(24 + 4 * (seed % 5)) // k] * k
    p = [[0.9 if i == j else 0.1 for j in range(k)] for i in range(k)]
    g = nx.stochastic_block_model(sizes, p, seed=seed)
    g.graph.clear()
    g.graph["name"] = f"{k} blocks, {seed}"
    return g

ogdl.write_graphs(sys.argv[1] + "/own.jsonl", [blocks(k, seed) for k in (1, 2, 3) for seed in range(20)])
ogdl.write_graphs(sys.argv[1] + "/new.jsonl", [blocks(k, 100 + k) for k in (1, 2, 3)])
atoms = [nx.cycle_graph(n) for n in range(4, 10)] + [nx.star_graph(n) for n in range(4, 10)]
ogdl.write_graphs(sys.argv[1] + "/labelled.jsonl", atoms, labels=[["C", "O"] * (len(g) // 2) + ["C"] * (len(g) % 2) for g in atoms],
    classes=["01" if g.degree[0] == 2 else "1" for g in atoms], names=[f"{k:03}" for k in range(len(atoms))])
ogdl.write_graphs(sys.argv[1] + "/unseen.jsonl", [nx.cycle_graph(3)], labels=[["C", "Br", "O"]], names=["bromide"])
PYTHON
"$python" "$work/write.py" "$work"

experiments=$work/experiments
go build -o "$experiments" ./experiments
OGDL=$experiments "$python" python/ogdl_test.py
cd "$work"
"$experiments" fit -graphs own.jsonl -atoms 2..4 -order 6
"$experiments" embed -from fit_own -data new.jsonl -out new
"$experiments" fit -graphs labelled.jsonl -atoms 2 -clusters 2 -out fit_labelled -set epochs=5
"$experiments" embed -from fit_labelled -data unseen.jsonl -out unseen | tee unseen.txt
grep -q 'label Br: 1 node of 1 graph .*(bromide)' unseen.txt || { echo "the unseen label is not named"; exit 1; }
if "$experiments" fit -graphs own.jsonl -atoms 2 2>again.txt; then echo "the fit that was there is replaced unasked"; exit 1; fi
grep -q -- '-force' again.txt

"$python" - <<'PYTHON'
import numpy as np
import ogdl

fit = ogdl.read_fit("fit_own")
blocks = np.array([int(name[0]) for name in fit.graphs["name"]])
cluster = fit.graphs["cluster"].astype(int)
assert (cluster == fit.assignment).all()
found = {k: np.bincount(cluster[blocks == k], minlength=fit.centers.shape[0]) for k in (1, 2, 3)}
print(fit.C.shape[0], "atoms, graphs by block and cluster:", {k: v.tolist() for k, v in found.items()})
assert fit.centers.shape[0] == 3
assert len({int(v.argmax()) for v in found.values()}) == 3 and sum(int(v.max()) for v in found.values()) >= 57
# What is written is what the page's metric says.
distance = np.sqrt(((fit.X - fit.centers[cluster]) ** 2).sum(1))
assert np.allclose(distance, fit.graphs["distance"], atol=1e-6), abs(distance - fit.graphs["distance"]).max()
assert np.allclose(fit.weights, np.stack([fit.graphs[f"w{s}"] for s in range(fit.C.shape[0])], 1))
new = ogdl.read_table("new.csv")
assert [int(c) for c in new["cluster"]] == [int(found[k].argmax()) for k in (1, 2, 3)], new
assert list(new) == list(fit.graphs), (list(new), list(fit.graphs))
labelled = ogdl.read_fit("fit_labelled")
assert labelled.features["Texts"] == ["C", "O"] and 0 < labelled.alpha < 1
assert labelled.graphs["name"].tolist() == [f"{k:03}" for k in range(12)] and labelled.graphs["class"].tolist() == ["01"] * 6 + ["1"] * 6
PYTHON
"$work/clone/scripts/dev/check_page.sh" ${shots[@]+"${shots[@]}"} fit_own/index.html fit_labelled/index.html
