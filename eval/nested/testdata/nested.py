"""Splits and a nested search by scikit-learn, for the tests of this package.

    python3 nested.py > nested.json      # scikit-learn 1.2.1, numpy 1.24.2

Labels and points come from a linear congruential generator, kernels are quotients of small integers: any language has the same bits.
"""

import json
from fractions import Fraction

import numpy as np
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.svm import SVC


def generator(state):
    def draw(m):
        nonlocal state
        state = (1103515245 * state + 12345) % 2**31
        return (state >> 16) % m
    return draw


def split(y, seed):
    train, test = train_test_split(np.arange(len(y)), test_size=0.1, stratify=y, random_state=seed)
    fold = np.zeros(len(train), dtype=int)
    for f, (_, held) in enumerate(StratifiedKFold(10, shuffle=True, random_state=seed).split(train, y[train])):
        fold[held] = f
    return train, test, fold


def search(K, y, parts, Cs):
    train, test, fold = parts
    best, table = None, []
    for C in Cs:
        for g in range(len(K)):
            inner = Fraction(0)
            for f in range(10):
                a, b = train[fold != f], train[fold == f]
                m = SVC(C=C, kernel="precomputed", max_iter=5000000).fit(K[g][np.ix_(a, a)], y[a])
                right = int((m.predict(K[g][np.ix_(b, a)]) == y[b]).sum())
                inner += Fraction(right, 10 * len(b))
            table.append(str(inner))
            if best is None or inner > best[0]:
                best = inner, C, g
    inner, C, g = best
    m = SVC(C=C, kernel="precomputed").fit(K[g][np.ix_(train, train)], y[train])
    return dict(C=C, kernel=g, inner=str(inner), table=table, predictions=m.predict(K[g][np.ix_(test, train)]).tolist())


def main():
    splits = []
    # Classes as drawn; then equal ones, whose remainders tie; then many.
    for seed, labels, n in [(1, [-1, 1], 60), (2, [5, 2, 9], 83), (3, None, 45), (4, None, 75), (5, list(range(7)), 200)]:
        draw = generator(seed)
        if labels is None:
            y = np.arange(n) % 3
        else:
            y = np.array([labels[draw(len(labels))] for _ in range(n)])
        for s in [0, 1, 42, 4294967295]:
            train, test, fold = split(y, s)
            splits.append(dict(labels=y.tolist(), seed=s, train=train.tolist(), test=test.tolist(), fold=fold.tolist()))
    n, draw = 90, generator(6)
    y, x = [], []
    for _ in range(n):
        c = draw(3)
        y.append([4, 1, 7][c])
        x.append([draw(13) + (4 if k == c else 0) for k in range(3)])
    x, y = np.array(x), np.array(y)
    d = ((x[:, None] - x[None]) ** 2).sum(-1).astype(float)
    K = [s / (s + d) for s in [4, 32, 256]]
    Cs = [0.01, 1.0, 10.0, 1000.0]
    searches = [dict(seed=s, **search(K, y, split(y, s), Cs)) for s in range(4)]
    text = json.dumps(dict(splits=splits, points=x.tolist(), labels=y.tolist(), C=Cs, searches=searches))
    print(text.replace('{"labels"', '\n{"labels"').replace('{"seed"', '\n{"seed"'))


main()
