#!/usr/bin/env python3
"""Reads the results of a run: tables from CSV, dictionaries and embeddings from npz.

    python3 docs/read_results.py results smoke

The first argument is the folder that -out named, the second the configuration. Needs numpy.
"""

import csv
import glob
import json
import os
import sys

import numpy as np


def cell_file(out, cell):
    """The npz of a cell, by the id that clustering_cells.csv lists."""
    found = glob.glob(os.path.join(out, "store", cell[:2], cell + "-*.npz"))
    if not found:
        raise SystemExit(f"no npz of the cell {cell} in {out}/store")
    return found[0]


def mahalanobis(z):
    """M: (w - w')' M (w - w') bounds the squared (F)GW distance of two models.

    Features are taken relative to those of the first atom's first node, as the program does."""
    C, q, alpha = z["C"], z["q"], float(z["alpha"])
    M = alpha * np.einsum("k,l,skl,tkl->st", q, q, C, C)
    if "A" in z:
        A = z["A"] - z["A"][0, 0]
        M += (1 - alpha) * np.einsum("k,skd,tkd->st", q, A, A)
    return M


def root(M):
    """The symmetric square root; rounding below zero is cut off."""
    values, vectors = np.linalg.eigh(M)
    return (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T


def main(out, config):
    with open(os.path.join(out, config, "clustering_cells.csv"), newline="") as f:
        cells = [row for row in csv.DictReader(f) if row["status"] == "ok" and row["method"].startswith("GDL")]
    if not cells:
        raise SystemExit(f"{config} has no finished cell of GDL")

    scores = {}
    for row in cells:
        scores.setdefault((row["data set"], row["method"]), []).append(float(row["RI"]))
    for (dataset, method), ri in sorted(scores.items()):
        print(f"{dataset} {method}: {len(ri)} cells, Rand Index {np.mean(ri):.2f} ({np.std(ri):.2f})")

    row = cells[0]
    z = np.load(cell_file(out, row["id"]))  # no pickles: allow_pickle stays False
    W, C = z["weights"], z["C"]
    print(f"cell {row['id']}: {W.shape[0]} graphs, {C.shape[0]} atoms of order {C.shape[1]}")
    print("made with", json.loads(str(z["cell_parameters"]))["epochs"], "epochs")

    # The model of a graph is the mixture of the atoms with its weights.
    model = np.einsum("s,skl->kl", W[0], C)
    print(f"model of graph 0: {np.count_nonzero(W[0] > 0)} atoms, mean entry {model.mean():.3f}")

    # What k-means saw: M^(1/2) w, whose Euclidean distance is the Mahalanobis distance.
    X = W @ root(mahalanobis(z))
    nearest = ((X[:, None, :] - z["centers"][None]) ** 2).sum(-1).argmin(1)
    print(f"nearest centre is the cluster of {np.mean(nearest == z['assignment']):.0%} of the graphs")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(sys.argv[1], sys.argv[2])
