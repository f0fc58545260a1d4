"""Fits of scikit-learn's SVC (LIBSVM) on small kernels, for the tests of this package.

    python3 fits.py > fits.json      # scikit-learn 1.2.1, numpy 1.24.2

Every kernel takes one or two correctly rounded operations from small integers, so that any language computes the
same bits. For two classes scikit-learn flips the sign: its intercept is rho there, and -rho for more classes.
"""

import json
import warnings

import numpy as np
from sklearn.svm import SVC


def points(seed, n, labels):
    """Points of a small grid, by a linear congruential generator; each has a class, and a shift by it."""
    state = seed

    def draw(m):
        nonlocal state
        state = (1103515245 * state + 12345) % 2**31
        return (state >> 16) % m

    x, y = [], []
    for _ in range(n):
        c = draw(len(labels))
        x.append([draw(13) + (3 if k == c % 3 else 0) for k in range(3)])
        y.append(labels[c])
    return np.array(x), np.array(y)


def kernel(name, x):
    d = ((x[:, None] - x[None]) ** 2).sum(-1).astype(float)
    i = np.arange(len(x))
    if name == "rational":  # positive definite
        return 8 / (8 + d)
    if name == "smooth":  # so too, with fits of many iterations
        return 512 / (512 + d)
    if name == "indefinite":
        return 1 - np.sqrt(d) / 8
    if name == "random":  # far from definite
        k = (7 * i[:, None] * i + 3 * (i[:, None] + i)) % 11 / 8
        k[i, i] = 1
        return k
    raise ValueError(name)


def fit(K, y, train, C, tol=1e-3, shrinking=True, cap=5000000):
    m = SVC(C=C, kernel="precomputed", tol=tol, shrinking=shrinking, max_iter=cap, decision_function_shape="ovo")
    m.fit(K[:train, :train], y[:train])
    test = K[train:, :train]
    sign = 1 if len(m.classes_) == 2 else -1
    return dict(C=C, tol=tol, shrinking=shrinking, cap=cap, iterations=m.n_iter_.tolist(),
                rho=(sign * m.intercept_).tolist(), support=len(m.support_), predictions=m.predict(test).tolist())


def main():
    warnings.simplefilter("ignore")  # of the caps
    problems = []
    for name, labels, n, train in [("rational", [-1, 1], 70, 50), ("indefinite", [5, 2], 60, 45), ("random", [0, 1], 50, 40),
                                   ("rational", [7, -3, 4, 0], 80, 60), ("smooth", [0, 1], 200, 180), ("smooth", [2, 1, 3], 220, 200)]:
        seed = len(problems) + 1
        x, y = points(seed, n, labels)
        K = kernel(name, x)
        fits = [fit(K, y, train, C) for C in [1e-7, 1e-2, 0.5, 4.0, 30.0, 1e3]]
        fits.append(fit(K, y, train, 1e7, cap=20000))
        fits.append(fit(K, y, train, 4.0, shrinking=False))
        fits.append(fit(K, y, train, 30.0, tol=1e-9))
        fits.append(fit(K, y, train, 30.0, cap=70))
        problems.append(dict(kernel=name, seed=seed, labels=labels, n=n, train=train, fits=fits))
    text = json.dumps(dict(scikit_learn="1.2.1", problems=problems))
    print(text.replace('{"kernel"', '\n{"kernel"').replace('{"C"', '\n {"C"'))


main()
