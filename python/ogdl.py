#!/usr/bin/env python3
"""The program ogdl from Python: graphs in, arrays out. One file; it needs numpy, and takes networkx, PyG, scipy and pandas where they are.

    import ogdl
    model = ogdl.fit(graphs, atoms="2..6")       # networkx, PyG-like, scipy.sparse or adjacency arrays
    model.X, model.clusters, model.graphs        # points, clusters, and the table graphs.csv
    new = ogdl.embed(model, more)                # new graphs in the same dictionary
    X = ogdl.GraphDictionary(4).fit_transform(graphs)       # with scikit-learn's shape

    ogdl.write_graphs("molecules.jsonl", graphs)
    model = ogdl.read_fit("fit_molecules")            # files of `ogdl fit`
    cell = ogdl.read_cell("results", "1a2b3c4d")      # a finished cell of the store
    table = ogdl.read_table("results/smoke/clustering_cells.csv")

The program is the file that the variable OGDL names, else `ogdl` on PATH, else built from the checkout of this file (Go is needed).
As a program this file sums up a run:

    python3 python/ogdl.py results smoke
"""

import csv
import functools
import glob
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
import weakref
from types import SimpleNamespace

import numpy as np

try:
    from sklearn.base import BaseEstimator, TransformerMixin
except ImportError:
    BaseEstimator = TransformerMixin = None

MOST_NODES = 1 << 17  # of a graph
NONE_FOUND = "no clusters found"  # the program's words
TEXTS = ("id", "dataset", "method", "name", "class", "predicted", "host", "processor", "code")  # columns of texts, even where they look like numbers


def write_graphs(path, graphs, labels=None, attributes=None, classes=None, names=None, weight="weight", label="label", attribute="attribute",
                 self_loops="error", combine="error", directed="error"):
    """Writes graphs as JSON Lines, one a line.

    A graph is a networkx graph; or has edge_index, as those of PyG, and perhaps num_nodes, x (attributes), y (class) and edge_weight; or is an
    edge_index, an integer array of shape 2 x edges; or a symmetric adjacency matrix, dense or of scipy.sparse, whose entries are weights
    (2 x 2 is a matrix).

    labels, attributes (one list a graph, one entry a node), classes and names (one entry a graph) are taken before those of the graphs
    themselves: node data `label` and `attribute`, graph data "class" and "name", edge data `weight` of networkx. Nodes keep their order.
    Labels and classes are integers or texts, weights finite and 0 or more. What the program would refuse is a ValueError that names the
    graph, and nothing is written then.

    self_loops="drop" drops edges of a node to itself. combine="sum", "max" or "mean" makes one weight of several of an edge; both directions
    of an edge with one weight are no case of that. directed="union" takes an edge of a directed networkx graph, or of a matrix that is not
    symmetric, both ways. What is dropped without an error (edge attributes, other node data) is a warning."""
    for name, x, may in (("self_loops", self_loops, ("error", "drop")), ("combine", combine, ("error", *COMBINE)), ("directed", directed, ("error", "union"))):
        if x not in may:
            raise ValueError(f"{name}={x!r}, want one of {', '.join(may)}")
    if hasattr(graphs, "edge_index") or hasattr(graphs, "nodes") or hasattr(graphs, "tocoo") or getattr(graphs, "ndim", 3) == 2:
        raise TypeError("one graph: pass a list of graphs")
    path, graphs = os.fsdecode(path), list(graphs)
    how = SimpleNamespace(weight=weight, label=label, attribute=attribute, self_loops=self_loops, combine=combine, directed=directed, dropped=set())
    given = {}
    for argument, x in (("labels", labels), ("attributes", attributes), ("classes", classes), ("names", names)):
        if x is not None:
            x = given[{"classes": "class", "names": "name"}.get(argument, argument)] = list(x)
            if len(x) != len(graphs):
                raise ValueError(f"{len(x)} {argument} for {len(graphs)} graphs")
    if not graphs:
        raise ValueError("no graphs to write")
    first, temp = {}, f"{path}.{os.getpid()}.tmp"  # first: what the graphs so far have
    f = open(temp, "x", encoding="utf-8")
    try:
        with f:
            for k, g in enumerate(graphs):
                try:
                    one = _graph(g, how) | {key: _plain(x[k]) for key, x in given.items()}
                    text = json.dumps(_checked({key: x for key, x in one.items() if x is not None}, first))
                except Exception as e:  # whatever an object raises that is no graph
                    raise ValueError(f"graph {k}: {e}") from e
                f.write(text + "\n")
        os.replace(temp, path)
        for text in sorted(how.dropped):
            warnings.warn(text, stacklevel=2)
    finally:
        if os.path.exists(temp):
            os.remove(temp)


def _checked(one, first):
    """A line as the program reads it; errors say what it would refuse."""
    n = one["nodes"]
    if not 0 <= n <= MOST_NODES:
        raise ValueError(f"{n} nodes, want 0 to {MOST_NODES}")
    if not isinstance(one.get("name", ""), str):
        raise ValueError(f"the name {one['name']!r} is no text")

    def same(key, kind):
        if first.setdefault(key, kind) != kind:
            raise ValueError(f"{key}: {kind}, where others have {first[key]}")

    def value(key, x):
        if isinstance(x, float) and x.is_integer():
            x = int(x)
        if isinstance(x, bool) or not isinstance(x, (int, str)) or isinstance(x, int) and abs(x) >= 10**18:
            raise ValueError(f"{key}: {x!r} is neither an integer of at most 18 digits nor a text" +
                             " (classes=[None] * len(graphs) leaves classes out)" * (key == "class"))
        same(key, "a text" if isinstance(x, str) else "an integer")
        return x

    def row(key, x):
        x = x if isinstance(x, list) else [x]
        for v in x:
            if isinstance(v, bool) or not isinstance(v, (int, float)) or not math.isfinite(v):
                raise ValueError(f"{key}: {v!r} is not a finite number")
        if not x:
            raise ValueError(f"{key}: a node has none")
        same(key, f"{len(x)} a node")
        return x

    if "class" in one:
        one["class"] = value("class", one["class"])
    else:
        same("class", "none")
    for key, of in (("labels", value), ("attributes", row)):
        if len(one.get(key, range(n))) != n:
            raise ValueError(f"{len(one[key])} {key} of {n} nodes")
        if n == 0:
            one.pop(key, None)
        elif key in one:
            one[key] = [of(key, x) for x in one[key]]
        else:
            same(key, "none")
    return one


def _plain(x):
    """What json takes of numpy's types, and of tensors."""
    if hasattr(x, "detach"):
        x = x.detach().cpu().numpy()
    if isinstance(x, (np.ndarray, np.generic)):
        return x.tolist()
    if isinstance(x, (list, tuple)):
        return [_plain(e) for e in x]
    return x


def _number(x):
    """Whether node data are a number with a fraction, or several numbers: no label, but an attribute."""
    x = _plain(x)
    return isinstance(x, (float, list))


def _graph(g, how):
    label, attribute = how.label, how.attribute
    if hasattr(g, "nodes") and hasattr(g, "edges"):
        at = {node: i for i, node in enumerate(g.nodes)}
        edges = [(at[i], at[j], d.get(how.weight)) for i, j, d in g.edges(data=True)]
        if g.is_directed() and how.directed == "error":
            one_way = {(i, j) for i, j, _ in edges} - {(j, i) for i, j, _ in edges}
            if one_way:
                raise ValueError("an edge of nodes %d and %d has no reverse: " % min(one_way) + _option("directed", "union") + " takes it both ways")
        how.dropped |= {f"edge data {key!r} are dropped: " +
                        (f"weight={key!r} takes them as weights" if isinstance(_plain(x), (int, float)) else "only numbers can be weights")
                        for _, _, d in g.edges(data=True) for key, x in d.items() if key != how.weight}
        how.dropped |= {f"node data {key!r} are dropped: {'attribute' if _number(x) else 'label'}={key!r} takes them as "
                        f"{'attributes' if _number(x) else 'labels'}" for _, d in g.nodes(data=True) for key, x in d.items() if key not in (label, attribute)}
        column = lambda key: [_plain(d.get(key)) for _, d in g.nodes(data=True)]
        values = {"labels": column(label), "attributes": column(attribute)}
        for key, v in values.items():
            if any(x is None for x in v):
                if any(x is not None for x in v):
                    raise ValueError(f"some nodes have no {key}")
                values[key] = None
        return _line(how, len(at), edges, **values, **{"class": _plain(g.graph.get("class")), "name": g.graph.get("name") or None})
    if hasattr(g, "edge_index"):
        if getattr(g, "edge_attr", None) is not None:
            how.dropped.add("edge_attr is dropped: edge_weight holds weights")
        index = np.asarray(_plain(g.edge_index))
        _turned(index)
        if index.size and (index.ndim != 2 or len(index) != 2 or not np.issubdtype(index.dtype, np.integer)):
            raise ValueError("edge_index is no array of integers of shape 2 x edges")
        index = index.reshape(2, -1).astype(int)
        x, y, w = (_plain(getattr(g, key, None)) for key in ("x", "y", "edge_weight"))
        w = [None] * index.shape[1] if w is None else np.ravel(w).tolist()
        if len(w) != index.shape[1]:
            raise ValueError(f"{len(w)} edge weights of {index.shape[1]} edges")
        n = getattr(g, "num_nodes", None)
        if n is None:
            n = len(x) if x is not None else int(index.max(initial=-1)) + 1
        while isinstance(y, list) and len(y) == 1:
            y = y[0]
        if isinstance(y, list):
            how.dropped.add("y of several values is dropped: a graph has one class")
        return _line(how, int(n), zip(*index.tolist(), w), attributes=x,
                     **{"class": None if isinstance(y, list) else y, "name": getattr(g, "name", None)})
    if hasattr(g, "tocoo"):
        coo = g.tocoo()
        if coo.shape[0] != coo.shape[1]:
            raise ValueError("a sparse matrix of shape %d x %d, want n x n" % coo.shape)
        coo.sum_duplicates()
        return _matrix(coo.shape[0], zip(coo.row.tolist(), coo.col.tolist(), coo.data.tolist()), how)
    a = g if isinstance(g, np.ndarray) else np.asarray(_plain(g))  # a list would forget the shape 0 x 0
    if a.ndim == 2 and a.shape[0] == a.shape[1]:
        return _matrix(len(a), [(i, j, a[i, j].item()) for i, j in zip(*np.nonzero(a))], how)
    _turned(a)
    if a.ndim == 2 and a.shape[0] == 2 and (a.size == 0 or np.issubdtype(a.dtype, np.integer)):
        return _line(how, int(a.max(initial=-1)) + 1, [(i, j, None) for i, j in a.T.tolist()])
    raise TypeError("neither a networkx graph nor an edge_index of shape 2 x edges nor a square matrix")


def _option(name, value):
    """An option of write_graphs, as write_graphs takes it and as fit and embed do."""
    return f"{name}={value!r} (in fit and embed: write={{{name!r}: {value!r}}})"


def _turned(index):
    if index.ndim == 2 and index.shape[1] == 2 and index.shape[0] > 2 and np.issubdtype(index.dtype, np.integer):
        raise ValueError(f"an edge_index of shape {index.shape[0]} x 2, want 2 x {index.shape[0]}: use .T")


def _matrix(n, entries, how):
    """A graph as its line, of the entries of a matrix that are not zero."""
    entries = [(int(i), int(j), w) for i, j, w in entries if w != 0]
    weights = {(i, j): w for i, j, w in entries}
    if how.directed == "error" and any(weights.get((j, i)) != w and not (w != w and (j, i) in weights) for (i, j), w in weights.items()):
        raise ValueError("the adjacency matrix is not symmetric: " + _option("directed", "union") + " takes each edge both ways")
    return _line(how, n, entries)


COMBINE = {"sum": sum, "max": max, "mean": lambda x: sum(x) / len(x)}


def _line(how, n, edges, **more):
    """A graph as its line has it: every edge once, weights of 1 left out."""
    ways = {}  # weights of each edge, by direction
    for i, j, w in edges:
        i, j, w = int(i), int(j), 1.0 if w is None else float(w)
        if i == j:
            if how.self_loops == "drop":
                continue
            raise ValueError(f"node {i} has an edge to itself: {_option('self_loops', 'drop')} drops it")
        if not (0 <= i < n and 0 <= j < n):
            raise ValueError(f"an edge of nodes {i} and {j}, where there are {n}, from 0")
        if not (math.isfinite(w) and w >= 0):
            raise ValueError(f"the edge of nodes {i} and {j} has the weight {w}, want a finite one of 0 or more")
        ways.setdefault((min(i, j), max(i, j)), ([], []))[i > j].append(w)
    seen = {}
    for (i, j), way in ways.items():
        if how.combine == "error":
            if len({*way[0], *way[1]}) > 1:
                raise ValueError(f"the edge of nodes {i} and {j} has two weights: {_option('combine', 'sum')} adds them up; 'max' and 'mean' are the other ways")
            both = [(way[0] or way[1])[0]]
        else:
            both = [COMBINE[how.combine](w) for w in way if w]
        seen[i, j] = both[0] if len(set(both)) == 1 else COMBINE[how.combine](both)
    return {"edges": [[i, j] if w == 1 else [i, j, w] for (i, j), w in seen.items()], "nodes": n, **more}


def read_table(path):
    """A table's CSV as a dict of columns: arrays of floats, missing ones NaN, or of texts, missing ones "".

    Columns of TEXTS, such as name and class, are always texts: "01" stays "01". Others are texts where a value is no number."""
    with open(path, newline="", encoding="utf-8") as f:
        head, *rows = csv.reader(f)
    out = {}
    for k, name in enumerate(head):
        column = [row[k] for row in rows]
        try:
            if name in TEXTS:
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
    """What `fit` has written: read_cell of its dictionary, and its graphs as a table in `graphs` (read_table).

    clusters_found is the verdict of the test for separated clusters. It is False for "no clusters found", also where the fit cut the graphs into a
    given number of clusters. warnings lists the warnings and notes of the fit. Folders of earlier versions have neither: None, and an empty list."""
    if os.path.exists(os.path.join(folder, "UNFINISHED.txt")):
        raise ValueError(f"{folder}: a fit was stopped while it wrote this folder, whose files may be of two fits: run fit again, with -force")
    x = read_cell(os.path.join(folder, "dictionary.npz"))
    x.folder, x.graphs = folder, read_table(os.path.join(folder, "graphs.csv"))
    x.clusters = x.graphs["cluster"] = x.graphs["cluster"].astype(int)
    x.clusters_found = bool(x.clusters_found) if hasattr(x, "clusters_found") else None
    x.warnings = x.warnings.tolist() if hasattr(x, "warnings") else []
    return x


class _Folder:
    """A temporary folder that is gone with this object."""

    def __init__(self):
        self.name = tempfile.mkdtemp(prefix="ogdl-")
        weakref.finalize(self, shutil.rmtree, self.name, True)


@functools.cache
def program():
    """The path of the program: the variable OGDL, `ogdl` on PATH, or built from the checkout that this file lies in."""
    path = os.environ.get("OGDL") or shutil.which("ogdl")
    if path:
        return path
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if not os.path.exists(os.path.join(root, "go.mod")) or not shutil.which("go"):
        raise FileNotFoundError("no program ogdl: build it in a checkout by `go build -o ogdl ./experiments`, "
                                "then put it on PATH or name it by the variable OGDL")
    program.folder = _Folder()
    path = os.path.join(program.folder.name, "ogdl.exe")
    _run("go", "build", "-o", path, "./experiments", cwd=root)
    return path


def _run(*command, cwd=None):
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[:2])}: exit code {done.returncode}\n{done.stdout[-2000:]}")
    return done.stdout


def _bytes(path):
    """The content of a file, None without one."""
    if os.path.exists(path):
        with open(path, "rb") as f:
            return f.read()


def _put(path, content):
    """Replaces a file by one of this content; None removes it."""
    if content is None:
        os.remove(path)
    elif content != _bytes(path):
        with open(f"{path}.{os.getpid()}.tmp", "xb") as f:
            f.write(content)
        os.replace(f.name, path)


def _warn(texts):
    """Makes Python warnings of texts."""
    for text in dict.fromkeys(texts):
        warnings.warn(text, stacklevel=3)


def fit(graphs, atoms, out=None, set=(), write=None, **flags):
    """Learns a dictionary from graphs (or the path of a file) by `ogdl fit`, and reads it as read_fit does.

    atoms is a number, a range "2..10", or a list of numbers; flags are the flags of `ogdl fit`, such as clusters=3, alpha=0.5, lambda_=0.01, seed=2; set holds
    other keys, {"epochs": 40}; write the options of write_graphs. The folder out is kept, with the graphs in graphs.jsonl: the same call goes on with a
    fit that was stopped. Without out the folder is gone with the result.
    Warnings and notes of the program become Python warnings. Weights of edges need set={"edge_weights": "attribute"}: without it a warning says that they
    are not used. clusters_found says whether the test found clusters (read_fit)."""
    kept = _Folder()
    folder = os.path.join(kept.name, "fit") if out is None else os.fsdecode(out)
    path = graphs if isinstance(graphs, (str, os.PathLike)) else os.path.join(folder, "graphs.jsonl")
    config = os.path.join(folder, "fit.toml")
    before, old = _bytes(config), _bytes(path)
    if path is not graphs:
        os.makedirs(folder, exist_ok=True)
        written = os.path.join(kept.name, "graphs.jsonl")
        write_graphs(written, graphs, **(write or {}))
        new = _bytes(written)
        of_fit = old is None or (before or b"").startswith(b"# Written by fit.")
        if new != old and os.listdir(folder) and not (flags.get("force") and of_fit):
            raise FileExistsError(f"{folder} is there already, without these graphs: " +
                                  ("force=True writes into it, out names another" if of_fit else f"no fit wrote {path}: out names another folder"))
        _put(path, new)
    command = [program(), "fit", "-graphs", os.fsdecode(path), "-atoms", ",".join(map(str, np.ravel(atoms))), "-out", folder]
    for key, x in flags.items():
        command.append(f"-{key.rstrip('_')}={str(x).lower() if isinstance(x, bool) else x}")
    for key, x in dict(set).items():
        command += ["-set", f"{key}={json.dumps(x) if not isinstance(x, str) else x}"]
    try:
        _run(*command)
    except BaseException:
        if path is not graphs and _bytes(config) == before:  # nothing has begun
            _put(path, old)
        raise
    x = read_fit(folder)
    none = [] if x.clusters_found or any(NONE_FOUND in text.lower() for text in x.warnings) else [NONE_FOUND]
    _warn([text.replace("-set edge_weights=attribute ", "set={'edge_weights': 'attribute'} ") for text in x.warnings + none])
    x.kept = kept if out is None else None
    return x


def embed(model, graphs, write=None):
    """Puts new graphs (or a file of them) into the dictionary of a fit, or of the folder of one: the table, weights, points X, and clusters.

    Warnings of the program, and graphs unlike the fit's graphs, become Python warnings. clusters_found is the verdict of the fit."""
    folder = model if isinstance(model, (str, os.PathLike)) else model.folder
    model = read_fit(folder) if folder is model else model
    with tempfile.TemporaryDirectory() as work:
        path = graphs if isinstance(graphs, (str, os.PathLike)) else os.path.join(work, "graphs.jsonl")
        if path is not graphs:
            write_graphs(path, graphs, **(write or {}))
        lines = _run(program(), "embed", "-from", os.fsdecode(folder), "-data", os.fsdecode(path), "-out", os.path.join(work, "new")).splitlines()
        _warn([line.removeprefix("Warning: ") for line in lines if re.search(r"^Warning: | are not used| unlike the graphs of the fit \(", line)])
        x = SimpleNamespace(graphs=read_table(os.path.join(work, "new.csv")), clusters_found=model.clusters_found)
    x.weights = np.stack([x.graphs[f"w{s}"] for s in range(len(model.C))], axis=1)
    if hasattr(model, "M"):
        x.X = x.weights @ root(model.M)
    if not np.isnan(x.graphs["cluster"]).any():
        x.clusters = x.graphs["cluster"] = x.graphs["cluster"].astype(int)
    return x


def frame(table):
    """A table as a DataFrame of pandas."""
    import pandas

    return pandas.DataFrame(table)


class GraphDictionary(*((TransformerMixin, BaseEstimator) if BaseEstimator else ())):
    """A dictionary with scikit-learn's shape: graphs in, points of n_atoms numbers out, whose Euclidean distances bound those of the models.

    fit and transform each start the program and write temporary files.
    n_clusters, alpha and seed are flags of `ogdl fit`, params other keys of it; model_ is the fit, labels_ its clusters."""

    def __init__(self, n_atoms=8, n_clusters=None, alpha=None, seed=1, params=None):
        self.n_atoms, self.n_clusters, self.alpha, self.seed, self.params = n_atoms, n_clusters, alpha, seed, params

    def fit(self, graphs, y=None):
        flags = {"clusters": self.n_clusters, "alpha": self.alpha, "seed": self.seed}
        self.model_ = fit(graphs, self.n_atoms, set=self.params or {}, **{key: x for key, x in flags.items() if x is not None})
        self.labels_ = self.model_.clusters
        return self

    def transform(self, graphs):
        return embed(self.model_, graphs).X

    def fit_transform(self, graphs, y=None):
        return self.fit(graphs).model_.X


def mahalanobis(x):
    """M: (w - w')' M (w - w') bounds the squared (F)GW distance of two models.

    Features are taken relative to those of the first atom's first node, as the program does, or of the node nearest to
    their mean where that one is far off; structures relative to an offset that is far above their deviation."""
    C, square = x.C, np.einsum("k,l,skl->s", x.q, x.q, x.C**2).mean()
    mean = np.einsum("k,l,skl->s", x.q, x.q, C).mean()
    if abs(mean) > 32 * np.sqrt(max(square - mean**2, 0)):
        C = C - C[0].flat[np.where(np.outer(x.q, x.q) > 0, abs(C[0] - mean), np.inf).argmin()]
    M = x.alpha * np.einsum("k,l,skl,tkl->st", x.q, x.q, C, C)
    if hasattr(x, "A"):
        rows = x.A[:, x.q > 0].reshape(-1, x.A.shape[2])
        weights = np.tile(x.q[x.q > 0], len(x.A)) / len(x.A)
        squares = ((rows - weights @ rows) ** 2).sum(axis=1)
        origin = x.A[0, 0]
        if ((origin - weights @ rows) ** 2).sum() > 1e6 * (weights @ squares):
            origin = rows[squares.argmin()]
        A = x.A - origin
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
        of = [k for k in done if (t["dataset"][k], t["method"][k]) == (dataset, method)]
        ri, objective = t["ri"][of], t["objective"][of]
        if np.isnan(ri).all():
            print(f"{dataset} {method}: {len(of)} cells, no classes, mean objective {np.mean(objective):.4g} ({np.std(objective):.4g})")
        else:
            print(f"{dataset} {method}: {len(of)} cells, Rand Index {np.mean(ri):.2f} ({np.std(ri):.2f})")

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
