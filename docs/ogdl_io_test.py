#!/usr/bin/env python3
"""Tests ogdl_io.py: `python3 docs/ogdl_io_test.py`; what needs networkx is left out, and said, where there is none."""

import json
import os
import tempfile
import unittest
from types import SimpleNamespace

import numpy as np

import ogdl_io

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
        ogdl_io.write_graphs(self.path, graphs, **more)
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
        self.assertEqual(self.lines([both, data, weighted]), [
            {"edges": [[0, 1], [1, 2]], "nodes": 3},
            {"edges": [[0, 1], [1, 2]], "nodes": 4, "attributes": [[1.0], [2.0], [3.5], [4.0]], "class": 2},
            {"edges": [[0, 1], [1, 2, 0.5]], "nodes": 5}])

    def test_given(self):
        a = [[0, 1], [1, 0]]
        self.assertEqual(self.lines([a, a], labels=[["C", "O"], np.array([1, 2])], attributes=[[1, 2], [[1], [2]]], classes=np.array([3, 4])), [
            {"edges": [[0, 1]], "nodes": 2, "labels": ["C", "O"], "attributes": [[1], [2]], "class": 3},
            {"edges": [[0, 1]], "nodes": 2, "labels": [1, 2], "attributes": [[1], [2]], "class": 4}])

    def test_errors(self):
        square = [[0, 1], [1, 0]]
        for graph, more, want in [
            ([[1, 0], [0, 0]], {}, "node 0 has an edge to itself"), ([[0, 1], [2, 0]], {}, "not symmetric"), ([1, 2], {}, "neither"),
            (SimpleNamespace(edge_index=[[0, 1], [1, 0]], edge_weight=[1, 2]), {}, "two weights"),
            (square, {"labels": [None, [1]]}, "1 labels of 2 nodes"), (square, {"attributes": [None, [float("nan"), 0]]}, "graph 1"),
        ]:
            with self.assertRaisesRegex(ValueError, "graph 1: .*" + want if want != "graph 1" else want):
                self.lines([square, graph], **more)
            self.assertEqual(os.listdir(self.dir.name), [])

    @unittest.skipIf(networkx is None, "no networkx")
    def test_networkx(self):
        g = networkx.Graph(name="ring")
        g.graph["class"] = "a"
        g.add_nodes_from([("x", {"label": "C", "attribute": [1.0, 2.0]}), ("y", {"label": "O", "attribute": [0.0, 1.0]}), ("z", {"label": "C", "attribute": [3.0, 3.0]})])
        g.add_edge("x", "z", weight=0.5)
        g.add_edge("y", "z")
        self.assertEqual(self.lines([g, networkx.path_graph(3), networkx.DiGraph([(0, 1), (1, 0)])]), [
            {"edges": [[0, 2, 0.5], [1, 2]], "nodes": 3, "labels": ["C", "O", "C"], "attributes": [[1.0, 2.0], [0.0, 1.0], [3.0, 3.0]], "class": "a", "name": "ring"},
            {"edges": [[0, 1], [1, 2]], "nodes": 3}, {"edges": [[0, 1]], "nodes": 2}])
        g.add_node("w")
        with self.assertRaisesRegex(ValueError, "graph 0: some nodes have no labels"):
            self.lines([g])


class Read(unittest.TestCase):
    def test_table(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "t.csv")
            with open(path, "w") as f:
                f.write('id,dataset,ri_mean,n,verdict,order,lambda\n0123456789012345,"A, b",1.5,3,lower,median,1e-06\n12e4,C,,4,,6,\n')
            t = ogdl_io.read_table(path)
        self.assertEqual(list(t), ["id", "dataset", "ri_mean", "n", "verdict", "order", "lambda"])
        for name, want in (("id", ["0123456789012345", "12e4"]), ("dataset", ["A, b", "C"]), ("n", [3, 4]), ("verdict", ["lower", ""]), ("order", ["median", "6"])):
            self.assertEqual(t[name].tolist(), want)
        for name, want in (("ri_mean", 1.5), ("lambda", 1e-6)):
            self.assertEqual(t[name].dtype, np.float64)
            self.assertTrue(t[name][0] == want and np.isnan(t[name][1]))

    def test_unfinished(self):
        with tempfile.TemporaryDirectory() as folder:
            open(os.path.join(folder, "UNFINISHED.txt"), "w").close()
            with self.assertRaisesRegex(ValueError, "may be of two fits"):
                ogdl_io.read_fit(folder)


if __name__ == "__main__":
    unittest.main()
