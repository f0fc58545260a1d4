#!/usr/bin/env python3
"""Tests ogdl.py: `python3 python/ogdl_test.py`; what needs networkx is left out, and said, where there is none."""

import glob
import json
import os
import pathlib
import re
import shutil
import tempfile
import unittest
import warnings
from types import SimpleNamespace

import numpy as np

import ogdl

try:
    import networkx
except ImportError:
    networkx = None


class Write(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)
        self.path = os.path.join(self.dir.name, "g.jsonl")

    def lines(self, graphs, **more):
        ogdl.write_graphs(self.path, graphs, **more)
        with open(self.path) as f:
            return [json.loads(line) for line in f]

    def test_matrices(self):
        a = np.array([[0, 1, 0], [1, 0, 0.5], [0, 0.5, 0]])
        self.assertEqual(self.lines([a, np.zeros((2, 2)), [[0, 1], [1, 0]]], names=["x", None, "z"]), [
            {"edges": [[0, 1], [1, 2, 0.5]], "nodes": 3, "name": "x"}, {"edges": [], "nodes": 2}, {"edges": [[0, 1]], "nodes": 2, "name": "z"}])

    def test_edge_index(self):
        both = np.array([[0, 1, 1, 2], [1, 0, 2, 1]])
        data = SimpleNamespace(edge_index=both, x=np.array([[1.0], [2.0], [3.5], [4.0]]), y=np.array([2]))
        weighted = SimpleNamespace(edge_index=both, edge_weight=np.array([1, 1, 0.5, 0.5]), num_nodes=5)
        self.assertEqual(self.lines([both, weighted]), [{"edges": [[0, 1], [1, 2]], "nodes": 3}, {"edges": [[0, 1], [1, 2, 0.5]], "nodes": 5}])
        line = {"edges": [[0, 1], [1, 2]], "nodes": 4, "attributes": [[1.0], [2.0], [3.5], [4.0]], "class": 2}
        data.y = np.array([[2.0]])
        self.assertEqual(self.lines([data]), [line])
        self.assertIs(type(self.lines([data])[0]["class"]), int)

    def test_given(self):
        a = [[0, 1], [1, 0]]
        self.assertEqual(self.lines([a, a], labels=[[3.0, 0], np.array([1, 2])], attributes=[[1, 2], [[1], [2]]], classes=np.array([3, 4])), [
            {"edges": [[0, 1]], "nodes": 2, "labels": [3, 0], "attributes": [[1], [2]], "class": 3},
            {"edges": [[0, 1]], "nodes": 2, "labels": [1, 2], "attributes": [[1], [2]], "class": 4}])

    def test_empty(self):
        """A graph without nodes has no labels and no attributes, whatever the others have."""
        empty, square = np.zeros((0, 0)), [[0, 1], [1, 0]]
        self.assertEqual(self.lines([empty, square], labels=[[], [1, 2]], attributes=[[], [1, 2]])[0], {"edges": [], "nodes": 0})
        if networkx is not None:
            self.assertEqual(self.lines([networkx.Graph()]), [{"edges": [], "nodes": 0}])

    def test_path(self):
        ogdl.write_graphs(pathlib.Path(self.path), [[[0, 1], [1, 0]]])
        self.assertEqual(os.listdir(self.dir.name), ["g.jsonl"])
        with self.assertRaises(OSError):
            ogdl.write_graphs(self.dir.name, [[[0, 1], [1, 0]]])
        self.assertEqual(glob.glob(self.dir.name + "*.tmp"), [])

    def test_errors(self):
        """What the program would refuse is refused, by the number of the graph, and leaves no file."""
        square, nan = [[0, 1], [1, 0]], float("nan")

        def tied(**more):
            return SimpleNamespace(edge_index=[[0, 1], [1, 0]], **more)

        for graph, more, want in [
            ([[1, 0], [0, 0]], {}, "node 0 has an edge to itself"), ([[0, 1], [2, 0]], {}, "not symmetric"),
            ([1, 2], {}, "neither"), (None, {}, "neither"),
            (tied(edge_weight=[1, 2]), {}, "two weights"), (tied(edge_weight=[1]), {}, "1 edge weights of 2 edges"),
            (tied(edge_weight=[nan, nan]), {}, "nodes 0 and 1 has the weight nan, want a finite one of 0 or more"),
            ([[0, nan], [nan, 0]], {}, "has the weight nan"), ([[0, -1], [-1, 0]], {}, "has the weight -1.0"),
            ([[0, 1e999], [1e999, 0]], {}, "the weight inf"), (tied(num_nodes=-1), {}, "where there are -1"),
            (tied(num_nodes=1), {}, "an edge of nodes 0 and 1, where there are 1"),
            (SimpleNamespace(edge_index=[[0], [-1]]), {}, "nodes 0 and -1"), (SimpleNamespace(edge_index=[[0.5], [1]]), {}, "no array of integers"),
            (SimpleNamespace(edge_index=[[0, 1]]), {}, "of shape 2 x edges"),
            (SimpleNamespace(edge_index=[[], []], num_nodes=-1), {}, "-1 nodes, want 0 to 131072"),
            (SimpleNamespace(edge_index=[[], []], num_nodes=131073), {}, "131073 nodes, want 0 to 131072"),
            (tied(y=np.array([1.5])), {"classes": None}, "class: 1.5 is neither an integer of at most 18 digits nor a text"),
            (square, {"classes": [1, 1.5]}, "class: 1.5 is neither"), (square, {"classes": [1, None]}, "class: none, where others have an integer"),
            (square, {"classes": ["a", 1]}, "class: an integer, where others have a text"), (square, {"classes": [1, 10**18]}, "18 digits"),
            (square, {"labels": [[1, 2], [1]]}, "1 labels of 2 nodes"), (square, {"labels": [[1, 2], [True, False]]}, "labels: True is neither"),
            (square, {"labels": [[1, 2], [1, "C"]]}, "labels: a text, where others have an integer"),
            (square, {"labels": [[1, 2], None]}, "labels: none, where"), (square, {"attributes": [[1, 2], ["1", 0]]}, "'1' is not a"),
            (square, {"attributes": [[1, 2], [nan, 0]]}, "attributes: nan is not a finite number"),
            (square, {"attributes": [[1, 2], [[1, 2], [3, 4]]]}, "attributes: 2 a node, where others have 1 a node"),
            (square, {"attributes": [[1, 2], [[], []]]}, "a node has none"), (square, {"names": ["a", 7]}, "the name 7 is no text"),
        ]:
            with self.subTest(want=want), self.assertRaisesRegex(ValueError, "^graph 1: .*" + re.escape(want)):
                self.lines([square, graph], **more)
            self.assertEqual(os.listdir(self.dir.name), [])
        for argument in ("labels", "attributes", "classes", "names"):
            for given in ([], [None], [None] * 3):
                with self.assertRaisesRegex(ValueError, f"^{len(given)} {argument} for 2 graphs$"):
                    self.lines([square, square], **{argument: given})
        with self.assertRaisesRegex(ValueError, "no graphs"):
            self.lines([])
        self.assertEqual(os.listdir(self.dir.name), [])

    @unittest.skipIf(networkx is None, "no networkx")
    def test_networkx(self):
        g = networkx.Graph(name="ring")
        g.graph["class"] = "a"
        g.add_nodes_from([("x", {"label": "C", "attribute": [1.0, 2.0]}), ("y", {"label": "O", "attribute": [0.0, 1.0]}), ("z", {"label": "C", "attribute": [3.0, 3.0]})])
        g.add_edge("x", "z", weight=0.5)
        g.add_edge("y", "z")
        self.assertEqual(self.lines([g]), [{"edges": [[0, 2, 0.5], [1, 2]], "nodes": 3, "labels": ["C", "O", "C"],
                                            "attributes": [[1.0, 2.0], [0.0, 1.0], [3.0, 3.0]], "class": "a", "name": "ring"}])
        self.assertEqual(self.lines([networkx.path_graph(3), networkx.DiGraph([(0, 1), (1, 0)])]), [
            {"edges": [[0, 1], [1, 2]], "nodes": 3}, {"edges": [[0, 1]], "nodes": 2}])
        g.add_node("w")
        with self.assertRaisesRegex(ValueError, "graph 0: some nodes have no labels"):
            self.lines([g])

    def test_options(self):
        """Loops, several weights and directions are errors that name the option which takes them."""
        loop, twice, one_way = [[1, 1], [1, 0]], SimpleNamespace(edge_index=[[0, 0, 1], [1, 1, 0]], edge_weight=[1, 3, 4]), [[0, 2], [0, 0]]
        for graph, more, want in [(loop, {"self_loops": "drop"}, [[0, 1]]), (twice, {"combine": "sum"}, [[0, 1, 4.0]]), (twice, {"combine": "max"}, [[0, 1, 4.0]]),
                                  (twice, {"combine": "mean"}, [[0, 1, 3.0]]), (one_way, {"directed": "union"}, [[0, 1, 2.0]])]:
            with self.subTest(more=more):
                self.assertEqual(self.lines([graph], **more), [{"edges": want, "nodes": 2}])
                with self.assertRaisesRegex(ValueError, "%s=.* \\(in fit and embed: write={'%s': " % (2 * (*more,))):
                    self.lines([graph])
        with self.assertRaisesRegex(ValueError, "combine='least', want one of error, sum, max, mean"):
            self.lines([loop], combine="least")
        with self.assertRaisesRegex(ValueError, "graph 0: an edge_index of shape 3 x 2, want 2 x 3: use .T"):
            self.lines([np.array([[0, 1], [1, 2], [2, 0]])])
        for graph in (np.zeros((3, 3)), twice):
            with self.assertRaisesRegex(TypeError, "pass a list of graphs"):
                self.lines(graph)

    def test_sparse(self):
        try:
            from scipy import sparse
        except ImportError:
            self.skipTest("no scipy")
        a = np.array([[0, 1, 0], [1, 0, 0.5], [0, 0.5, 0]])
        self.assertEqual(self.lines([sparse.csr_matrix(a)]), self.lines([a]))
        with self.assertRaisesRegex(ValueError, "not symmetric"):
            self.lines([sparse.csr_matrix([[0, 1], [0, 0]])])

    @unittest.skipIf(networkx is None, "no networkx")
    def test_dropped(self):
        """What is dropped is said."""
        g = networkx.Graph()
        g.add_node(0, element="C", mass=12.01)
        g.add_edge(0, 1, bond=2, kind="double")
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            self.lines([g])
        self.assertEqual([str(w.message) for w in said], ["edge data 'bond' are dropped: weight='bond' takes them as weights",
                                                          "edge data 'kind' are dropped: only numbers can be weights",
                                                          "node data 'element' are dropped: label='element' takes them as labels",
                                                          "node data 'mass' are dropped: attribute='mass' takes them as attributes"])
        with self.assertRaisesRegex(ValueError, "has no reverse: directed='union'"):
            self.lines([networkx.DiGraph([(0, 1)])])


def ring(n):
    return np.roll(np.eye(n), 1, 0) + np.roll(np.eye(n), -1, 0)


def star(n):
    a = np.zeros((n, n))
    a[0, 1:] = a[1:, 0] = 1
    return a


class Program(unittest.TestCase):
    """Needs the program: the test of docs/ names it by OGDL."""

    @unittest.skipIf("OGDL" not in os.environ, "OGDL names no program")
    def test_fit(self):
        graphs = [f(n) for n in range(5, 11) for f in (ring, star)]
        model = ogdl.fit(graphs, [2], clusters=2, set={"epochs": 4})
        self.assertEqual((model.X.shape, model.clusters.dtype.kind), ((12, 2), "i"))
        new = ogdl.embed(model, graphs)
        np.testing.assert_allclose(new.X, model.X, atol=1e-9)
        self.assertEqual(new.clusters.tolist(), model.clusters.tolist())
        with self.assertRaisesRegex(RuntimeError, "exit code 1"):
            ogdl.fit(graphs, 0)
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "fit")
            first, again = (ogdl.fit(graphs, 2, out=out, clusters=2, set={"epochs": 4}) for _ in range(2))
            np.testing.assert_array_equal(again.X, first.X)
            np.testing.assert_array_equal(first.X, model.X)
            with self.assertRaisesRegex(FileExistsError, "without these graphs"):
                ogdl.fit(graphs[1:], 2, out=out)
            with self.assertRaisesRegex(RuntimeError, "exit code 1"):  # refused: the graphs of the fit stay
                ogdl.fit(graphs[1:], 0, out=out, force=True)
            ogdl.fit(graphs, 2, out=out, clusters=2, set={"epochs": 4})
            self.assertEqual(len(ogdl.fit(graphs[2:], 2, out=out, clusters=2, set={"epochs": 4}, force=True).clusters), 10)
            mine = os.path.join(folder, "mine", "graphs.jsonl")
            with self.assertRaisesRegex(RuntimeError, "exit code 1"):
                ogdl.fit(graphs, 0, out=os.path.dirname(mine))
            self.assertFalse(os.path.exists(mine))
            pathlib.Path(mine).write_text("mine")
            with self.assertRaisesRegex(FileExistsError, "no fit wrote"):
                ogdl.fit(graphs, 2, out=os.path.dirname(mine), force=True)
            self.assertEqual(pathlib.Path(mine).read_text(), "mine")

    @unittest.skipIf("OGDL" not in os.environ, "OGDL names no program")
    def test_warnings(self):
        """What the program says of a fit, and of new graphs, are warnings; the verdict is read from the fit's files."""
        def said(do, *args, **more):
            with warnings.catch_warnings(record=True) as w:
                warnings.simplefilter("always")
                x = do(*args, **more)
            self.assertEqual({one.filename for one in w} - {__file__}, set())
            return x, [str(one.message) for one in w]

        rng = np.random.default_rng(1)
        graphs = [a + a.T for a in (np.triu(rng.random((12, 12)) < 0.4, 1) * rng.choice([0.5, 1, 2], (12, 12)) for _ in range(24))]
        labels = [["C"] * 12] * 24
        with tempfile.TemporaryDirectory() as folder:
            path, out = os.path.join(folder, "er.jsonl"), os.path.join(folder, "fit")
            ogdl.write_graphs(path, graphs, labels=labels)
            model, texts = said(ogdl.fit, path, 2, out=out, set={"epochs": 4, "order": 20})
            self.assertEqual((model.clusters_found, set(model.clusters), ogdl.read_fit(out).clusters_found), (False, {0}, False))
            for want in ("no clusters found", "^Edges have attributes that are not used: set={'edge_weights': 'attribute'} weighs",
                         "^Atoms have 20 nodes, more than the largest graph"):
                self.assertEqual(len([text for text in texts if re.search(want, text)]), 1, (want, texts))
            self.assertEqual(len(texts), 3)
            ogdl.write_graphs(path, [star(40), ring(4)], labels=[["C"] * 40, ["C"] * 3 + ["Br"]])
            new, texts = said(ogdl.embed, model, path)
            self.assertIs(new.clusters_found, False)
            self.assertTrue(any("not learned on label Br" in text for text in texts) and any("unlike the graphs of the fit" in text for text in texts), texts)
            cut, texts = said(ogdl.fit, graphs, 2, clusters=3, set={"epochs": 4, "edge_weights": "attribute"})
            self.assertEqual((cut.clusters_found, [text for text in texts if "not used" in text]), (False, []))
            self.assertEqual(len([text for text in texts if "o clusters found" in text]), 1, texts)
        plain, texts = said(ogdl.fit, [f(n) for n in range(5, 20) for f in (ring, star)], 2, set={"epochs": 4})
        self.assertEqual((plain.clusters_found, [text for text in texts if "clusters found" in text or "not used" in text]), (True, []))

    @unittest.skipIf("OGDL" not in os.environ or ogdl.BaseEstimator is None, "OGDL names no program, or no scikit-learn")
    def test_pipeline(self):
        from sklearn.base import clone
        from sklearn.cluster import KMeans
        from sklearn.pipeline import Pipeline

        graphs = [f(n) for n in range(5, 11) for f in (ring, star)]
        dictionary = clone(ogdl.GraphDictionary(2, n_clusters=2, params={"epochs": 4}))
        pipe = Pipeline([("dictionary", dictionary), ("means", KMeans(2, n_init=3, random_state=0))]).fit(graphs)
        self.assertEqual(pipe.predict(graphs).tolist(), pipe["means"].labels_.tolist())
        self.assertEqual(ogdl.GraphDictionary(2, n_clusters=2, params={"epochs": 4}).fit_transform(graphs).shape, (12, 2))


class Read(unittest.TestCase):
    def test_table(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "t.csv")
            with open(path, "w") as f:
                f.write("id,dataset,ri_mean,n,verdict,order,lambda,name,class\n"
                        '0123456789012345,"A, b",1.5,3,lower,median,1e-06,,01\n12e4,C,,4,,6,,,1\n')
            t = ogdl.read_table(path)
        self.assertEqual(list(t), ["id", "dataset", "ri_mean", "n", "verdict", "order", "lambda", "name", "class"])
        for name, want in (("id", ["0123456789012345", "12e4"]), ("dataset", ["A, b", "C"]), ("n", [3, 4]), ("verdict", ["lower", ""]),
                           ("order", ["median", "6"]), ("name", ["", ""]), ("class", ["01", "1"])):
            self.assertEqual(t[name].tolist(), want)
        for name, want in (("ri_mean", 1.5), ("lambda", 1e-6)):
            self.assertEqual(t[name].dtype, np.float64)
            self.assertTrue(t[name][0] == want and np.isnan(t[name][1]))

    def test_old(self):
        """The folder of an early fit has no verdict."""
        files = pathlib.Path(__file__).parent.parent / "experiments/testdata/fit_bcf26da"
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(files / "dictionary.npz", folder)
            shutil.copy(files / "embedded.csv", os.path.join(folder, "graphs.csv"))
            old = ogdl.read_fit(folder)
        self.assertEqual((old.clusters_found, old.warnings), (None, []))

    def test_unfinished(self):
        with tempfile.TemporaryDirectory() as folder:
            open(os.path.join(folder, "UNFINISHED.txt"), "w").close()
            with self.assertRaisesRegex(ValueError, "may be of two fits"):
                ogdl.read_fit(folder)


if __name__ == "__main__":
    unittest.main()
