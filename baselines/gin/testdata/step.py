"""Writes step.json: two steps of training of a small GIN-0, and the scores of the model after them, for step_test.go.

    python3 step.py > step.json     (numpy)

Nothing is shared with the package: adjacency matrices are dense, linear maps have the biases of the published network, and gradients
are complex steps, f(x + ih) / h, so that none is derived by hand.
"""
import json

import numpy as np

HIDDEN, CLASSES, LAYERS, DROPOUT, RATE = 3, 3, 2, 0.5, 0.01
rng = np.random.default_rng(1)


def graph(n, m):
    a = np.zeros((n, n))
    while a.sum() < 2 * m:
        i, j = rng.integers(n, size=2)
        if i != j:
            a[i, j] = a[j, i] = 1
    return a, rng.normal(size=(n, 2))


graphs = [graph(4, 4), graph(1, 0), graph(6, 8), graph(5, 4), graph(3, 2)]
classes = [0, 2, 1, 1, 0]
batches = [[0, 2, 1, 4], [3, 0, 2]]

# Parameters in order: per layer and map W, scale, shift; per depth W, bias. Biases of the maps stand apart: they come to nothing.
shapes = []
for layer in range(LAYERS):
    for inputs in ([2, HIDDEN][min(layer, 1)], HIDDEN):
        shapes += [(inputs, HIDDEN), (HIDDEN,), (HIDDEN,)]
for depth in range(LAYERS + 1):
    shapes += [([2, HIDDEN][min(depth, 1)], CLASSES), (CLASSES,)]
sizes = [int(np.prod(s)) for s in shapes]


def split(theta):
    return [p.reshape(s) for p, s in zip(np.split(theta, np.cumsum(sizes)[:-1]), shapes)]


def relu(x):
    return np.where(x.real > 0, x, 0)


def forward(theta, batch, factors, running, training, biases):
    """Scores of the batch, and the running means and variances after it."""
    p = split(theta)
    a = [graphs[g][0] for g in batch]
    nodes = [len(x) for x in a]
    whole = np.zeros((sum(nodes), sum(nodes)))
    pool = np.zeros((len(batch), sum(nodes)))
    at = 0
    for k, x in enumerate(a):
        whole[at:at + nodes[k], at:at + nodes[k]] = x + np.eye(nodes[k])
        pool[k, at:at + nodes[k]] = 1
        at += nodes[k]
    h = np.concatenate([graphs[g][1] for g in batch]).astype(complex)
    depths, moved = [h], []
    for layer in range(LAYERS):
        h = whole @ h
        for k in range(2):
            w, scale, shift = p[6 * layer + 3 * k:6 * layer + 3 * k + 3]
            u = h @ w + biases[2 * layer + k]
            mean, var = running[2 * layer + k]
            if training:
                mean, var = u.mean(0), ((u - u.mean(0)) ** 2).mean(0)
                n = len(u)
                old = running[2 * layer + k]
                moved.append((0.9 * old[0] + 0.1 * mean, 0.9 * old[1] + 0.1 * var * n / (n - 1)))
            h = relu(scale * (u - mean) / np.sqrt(var + 1e-5) + shift)
        depths.append(h)
    scores = 0
    for depth, x in enumerate(depths):
        w, b = p[6 * LAYERS + 2 * depth:6 * LAYERS + 2 * depth + 2]
        scores = scores + factors[depth] * (pool @ x @ w + b)
    return scores, moved


def loss(scores, batch):
    picked = scores[np.arange(len(batch)), [classes[g] for g in batch]]
    return (np.log(np.exp(scores).sum(1)) - picked).mean()


theta = rng.normal(size=sum(sizes)) * 0.5
running = [(np.zeros(HIDDEN), np.ones(HIDDEN)) for _ in range(2 * LAYERS)]
none = [np.zeros(HIDDEN)] * (2 * LAYERS)
some = [rng.normal(size=HIDDEN) for _ in range(2 * LAYERS)]
m, v = np.zeros_like(theta), np.zeros_like(theta)
out = {
    "Hidden": HIDDEN, "Classes": CLASSES, "Layers": LAYERS, "Rate": RATE, "Class": classes, "Start": theta.tolist(),
    "Graphs": [{"Neighbors": [np.flatnonzero(row).tolist() for row in a], "Inputs": x.ravel().tolist()} for a, x in graphs], "Steps": [],
}
for t, batch in enumerate(batches, 1):
    factors = [(rng.random((len(batch), CLASSES)) >= DROPOUT) / (1 - DROPOUT) for _ in range(LAYERS + 1)]
    scores, moved = forward(theta, batch, factors, running, True, none)
    assert np.allclose(scores, forward(theta, batch, factors, running, True, some)[0], rtol=0, atol=1e-12), "biases matter"
    grad = np.empty_like(theta)
    for i in range(len(theta)):
        x = theta.astype(complex)
        x[i] += 1e-30j
        grad[i] = loss(forward(x, batch, factors, running, True, none)[0], batch).imag / 1e-30
    running = [(a.real, b.real) for a, b in moved]
    m, v = 0.9 * m + 0.1 * grad, 0.999 * v + 0.001 * grad ** 2
    theta = theta - RATE * (m / (1 - 0.9 ** t)) / (np.sqrt(v / (1 - 0.999 ** t)) + 1e-8)
    out["Steps"].append({
        "Batch": batch, "Factors": [f.tolist() for f in factors], "Scores": scores.real.tolist(), "Loss": loss(scores, batch).real,
        "Gradient": grad.tolist(), "Weights": theta.tolist(),
        "Means": [x[0].tolist() for x in running], "Variances": [x[1].tolist() for x in running],
    })
ones = [np.ones((len(graphs), CLASSES))] * (LAYERS + 1)
out["Scores"] = forward(theta, range(len(graphs)), ones, running, False, none)[0].real.tolist()
print(json.dumps(out, indent=None, separators=(",", ":")))
