#!/usr/bin/env python3
"""Graphs to the program and results from it, with numpy alone.

    import ogdl_io
    ogdl_io.write_graphs("molecules.jsonl", graphs)    # networkx, PyG-like, or matrices
    fit = ogdl_io.read_fit("fit_molecules")            # what `fit` has written
    cell = ogdl_io.read_cell("results", "1a2b3c4d")    # a finished cell of the store
    table = ogdl_io.read_table("results/smoke/clustering_cells.csv")

As a program it sums up a run:

    python3 docs/ogdl_io.py results smoke
"""

import csv
import glob
import json
import os
import sys
from types import SimpleNamespace

import numpy as np


def write_graphs(path, graphs, labels=None, attributes=None, classes=None, names=None, weight="weight", label="label", attribute="attribute"):
    """Writes graphs as JSON Lines, one a line.

    A graph is a networkx graph; or has edge_index, as those of PyG, and perhaps num_nodes, x (attributes), y (class) and edge_weight; or is an
    edge_index, an integer array of shape 2 x edges; or a symmetric adjacency matrix, whose entries are weights (2 x 2 is a matrix).

    labels, attributes (one list a graph, one entry a node), classes and names (one entry a graph) are taken before those of the graphs
    themselves: node data `label` and `attribute`, graph data "class" and "name", edge data `weight` of networkx. Nodes keep their order. Loops and
    edges with two weights are ValueErrors that name the graph."""
    graphs = list(graphs)
    with open(path + ".tmp", "w", encoding="utf-8") as f:
        for k, g in enumerate(graphs):
            try:
                one = _graph(g, weight, label, attribute)
                for key, given in (("labels", labels), ("attributes", attributes), ("class", classes), ("name", names)):
                    if given is not None:
                        one[key] = _plain(given[k])
                one = {key: value for key, value in one.items() if value is not None}
                for key in ("labels", "attributes"):
                    if key in one and len(one[key]) != one["nodes"]:
                        raise ValueError(f"{len(one[key])} {key} of {one['nodes']} nodes")
                if "attributes" in one:
                    one["attributes"] = [row if isinstance(row, list) else [row] for row in one["attributes"]]
                f.write(json.dumps(one, allow_nan=False) + "\n")
            except (ValueError, TypeError) as e:
                f.close()
                os.remove(path + ".tmp")
                raise ValueError(f"graph {k}: {e}") from e
    os.replace(path + ".tmp", path)


def _plain(x):
    """What json takes of numpy's types, and of tensors."""
    if hasattr(x, "detach"):
        x = x.detach().cpu().numpy()
    if isinstance(x, (np.ndarray, np.generic)):
        return x.tolist()
    if isinstance(x, (list, tuple)):
        return [_plain(e) for e in x]
    return x


def _graph(g, weight, label, attribute):
    if hasattr(g, "nodes") and hasattr(g, "edges"):
        at = {node: i for i, node in enumerate(g.nodes)}
        edges = [(at[i], at[j], d.get(weight)) for i, j, d in g.edges(data=True)]
        column = lambda key: [_plain(d.get(key)) for _, d in g.nodes(data=True)]
        values = {"labels": column(label), "attributes": column(attribute)}
        for key, v in values.items():
            if any(x is None for x in v):
                if any(x is not None for x in v):
                    raise ValueError(f"some nodes have no {key}")
                values[key] = None
        return _line(len(at), edges, **values, **{"class": _plain(g.graph.get("class")), "name": g.graph.get("name") or None})
    if hasattr(g, "edge_index"):
        index = np.asarray(_plain(g.edge_index), dtype=int).reshape(2, -1)
        x, y, w = (_plain(getattr(g, key, None)) for key in ("x", "y", "edge_weight"))
        n = getattr(g, "num_nodes", None)
        if n is None:
            n = len(x) if x is not None else int(index.max(initial=-1)) + 1
        while isinstance(y, list) and len(y) == 1:
            y = y[0]
        y = int(y) if isinstance(y, float) and y == int(y) else y
        return _line(int(n), zip(*index.tolist(), w if w is not None else [None] * index.shape[1]), attributes=x,
                     **{"class": None if isinstance(y, list) else y, "name": getattr(g, "name", None)})
    a = np.asarray(_plain(g))
    if a.ndim == 2 and a.shape[0] == a.shape[1]:
        if not np.array_equal(a, a.T):
            raise ValueError("the adjacency matrix is not symmetric")
        return _line(len(a), [(i, j, a[i, j].item()) for i, j in zip(*np.nonzero(np.triu(a)))])
    if a.ndim == 2 and a.shape[0] == 2 and (a.size == 0 or np.issubdtype(a.dtype, np.integer)):
        return _line(int(a.max(initial=-1)) + 1, [(i, j, None) for i, j in a.T.tolist()])
    raise TypeError("neither a networkx graph nor an edge_index of shape 2 x edges nor a square matrix")


def _line(n, edges, **more):
    """A graph as its line has it: every edge once, weights of 1 left out."""
    seen = {}
    for i, j, w in edges:
        i, j, w = int(i), int(j), 1.0 if w is None else float(w)
        if i == j:
            raise ValueError(f"node {i} has an edge to itself")
        if seen.setdefault((min(i, j), max(i, j)), w) != w:
            raise ValueError(f"the edge of nodes {i} and {j} has two weights")
    return {"edges": [[i, j] if w == 1 else [i, j, w] for (i, j), w in seen.items()], "nodes": n, **more}


NAMES = ("id", "dataset", "method")  # texts, even where they look like numbers


def read_table(path):
    """A table's CSV as a dict of columns: arrays of floats, missing ones NaN, or of texts, missing ones ""."""
    with open(path, newline="", encoding="utf-8") as f:
        head, *rows = csv.reader(f)
    out = {}
    for k, name in enumerate(head):
        column = [row[k] for row in rows]
        try:
            if name in NAMES:
                raise ValueError
            out[name] = np.array([float(v) if v != "" else np.nan for v in column])
        except ValueError:
            out[name] = np.array(column, dtype=str)
    return out


def read_cell(out, cell=None):
    """A finished cell of GDL: from a result folder and the beginning of an id, or from its npz file.

    Fields are the arrays (C, A, q, alpha, weights, centers, assignment and so on), parameters and features as dicts, and the
    embedding X = W M^(1/2), in which Euclidean distances are those of the Mahalanobis metric M."""
    path = out
    if cell is not None:
        found = glob.glob(os.path.join(out, "store", cell[:2], cell + "*.npz"))
        if len(found) != 1:
            raise FileNotFoundError(f"{len(found)} npz files of the cell {cell} in {out}/store, want one")
        path = found[0]
    with np.load(path) as z:  # no pickles: allow_pickle stays False
        x = SimpleNamespace(**{name: z[name] for name in z.files})
    x.alpha = float(x.alpha)
    x.parameters, x.features = json.loads(str(x.cell_parameters)), json.loads(str(x.cell_features))
    if hasattr(x, "q"):
        x.M = mahalanobis(x)
        x.X = x.weights @ root(x.M)
    return x


def read_fit(folder):
    """What `fit` has written: read_cell of its dictionary, and its graphs as a table in `graphs`."""
    if os.path.exists(os.path.join(folder, "UNFINISHED.txt")):
        raise ValueError(f"{folder}: a fit was stopped while it wrote this folder, whose files may be of two fits: run fit again, with -force")
    x = read_cell(os.path.join(folder, "dictionary.npz"))
    x.graphs = read_table(os.path.join(folder, "graphs.csv"))
    return x


def mahalanobis(x):
    """M: (w - w')' M (w - w') bounds the squared (F)GW distance of two models.

    Features are taken relative to those of the first atom's first node, as the program does."""
    M = x.alpha * np.einsum("k,l,skl,tkl->st", x.q, x.q, x.C, x.C)
    if hasattr(x, "A"):
        A = x.A - x.A[0, 0]
        M += (1 - x.alpha) * np.einsum("k,skd,tkd->st", x.q, A, A)
    return M


def root(M):
    """The symmetric square root; rounding below zero is cut off."""
    values, vectors = np.linalg.eigh(M)
    return (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T


def main(out, config):
    t = read_table(os.path.join(out, config, "clustering_cells.csv"))
    done = [k for k, status in enumerate(t["status"]) if status == "ok" and t["method"][k].startswith("GDL")]
    if not done:
        raise SystemExit(f"{config} has no finished cell of GDL")
    rows = sorted({(t["dataset"][k], t["method"][k]) for k in done})
    for dataset, method in rows:
        ri = [t["ri"][k] for k in done if (t["dataset"][k], t["method"][k]) == (dataset, method)]
        print(f"{dataset} {method}: {len(ri)} cells, Rand Index {np.mean(ri):.2f} ({np.std(ri):.2f})")

    cell = str(t["id"][done[0]])
    x = read_cell(out, cell)
    print(f"cell {cell}: {x.weights.shape[0]} graphs, {x.C.shape[0]} atoms of order {x.C.shape[1]}")
    print("made with", x.parameters["epochs"], "epochs")

    # The model of a graph is the mixture of the atoms with its weights.
    model = np.einsum("s,skl->kl", x.weights[0], x.C)
    print(f"model of graph 0: {np.count_nonzero(x.weights[0] > 0)} atoms, mean entry {model.mean():.3f}")

    # k-means saw X: the nearest centre there is the cluster.
    nearest = ((x.X[:, None, :] - x.centers[None]) ** 2).sum(-1).argmin(1)
    print(f"nearest centre is the cluster of {np.mean(nearest == x.assignment):.0%} of the graphs")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(sys.argv[1], sys.argv[2])
