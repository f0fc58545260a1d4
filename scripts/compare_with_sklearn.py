"""One nested search through scikit-learn and through ogdl, in turn, in CPU time. Run by compare_with_sklearn.sh.

scikit-learn's time is that of SVC.fit and SVC.predict alone, on matrices that are cut out of the kernels outside the clock, and
beside it that of its compiled core, LIBSVM without the Python around it. ogdl's time is that of the whole search: kernels, gathering,
fits, predictions and choice.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
import warnings
from fractions import Fraction

import numpy as np
import sklearn
from sklearn.svm import SVC, _libsvm

TIMES = 3.0  # what ogdl must be faster by
CAP = 5000000


def search(P, Cs):
    """The answer of scikit-learn, as ogdl gives it, its seconds, and those of its core."""
    y, train, test, fold, K = P["labels"], P["train"], P["test"], P["fold"], P["K"]
    seconds = core = 0.0
    right, iterations = {}, []

    def fit(K, rows, others, C, cap):
        nonlocal seconds
        A, B, labels = np.ascontiguousarray(K[np.ix_(rows, rows)]), np.ascontiguousarray(K[np.ix_(others, rows)]), y[rows]
        begin = time.process_time()
        machine = SVC(C=C, kernel="precomputed", max_iter=cap).fit(A, labels)
        predictions = machine.predict(B)
        seconds += time.process_time() - begin
        return machine, predictions, A, labels

    for g in range(len(K)):
        for f in range(10):
            rows, held = train[fold != f], train[fold == f]
            for c, C in enumerate(Cs):
                machine, predictions, A, labels = fit(K[g], rows, held, C, CAP)
                right[c, g, f] = Fraction(int((predictions == y[held]).sum()), 10 * len(held))
                iterations.append(machine.n_iter_.tolist())
                codes = np.searchsorted(machine.classes_, labels).astype(np.float64)
                begin = time.process_time()
                _libsvm.fit(A, codes, kernel="precomputed", C=C, max_iter=CAP, cache_size=200.0)
                core += time.process_time() - begin
    table = {(c, g): sum(right[c, g, f] for f in range(10)) for c in range(len(Cs)) for g in range(len(K))}
    c, g = max(table, key=lambda at: (table[at], -at[0], -at[1]))
    _, predictions, _, _ = fit(K[g], train, test, Cs[c], CAP)
    answer = dict(chosen=[Cs[c], P["gamma"][g]], inner=str(table[c, g]), table=[float(table[at]) for at in sorted(table)],
                  predictions=predictions.tolist(), iterations=iterations)
    return answer, seconds, core


def differences(ours, theirs):
    """What of the two answers disagrees."""
    return [key for key in theirs if ours[key] != theirs[key]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-driver", required=True)
    parser.add_argument("-problem", required=True)
    parser.add_argument("-rounds", type=int, default=3)
    parser.add_argument("-quick", action="store_true")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # of fits at the cap
    P = np.load(arguments.problem)
    P = {name: P[name] for name in P.files}
    ours_s, theirs_s, core_s, wrong = [], [], [], []
    for _ in range(arguments.rounds):
        out = subprocess.run([arguments.driver, "search", arguments.problem], check=True, stdout=subprocess.PIPE).stdout
        ours = json.loads(out)
        theirs, seconds, core = search(P, ours["C"])
        wrong += differences(ours, theirs)
        ours_s.append(ours["seconds"])
        theirs_s.append(seconds)
        core_s.append(core)
        print(f"{ours['fits']} fits: ogdl {ours['seconds']:.3f} s, scikit-learn {seconds:.3f} s, its core {core:.3f} s", flush=True)
    ratio = statistics.median(t / o for t, o in zip(theirs_s, ours_s))
    bare = statistics.median(t / o for t, o in zip(core_s, ours_s))
    total = sum(sum(i) for i in ours["iterations"])
    print(f"\nscikit-learn {sklearn.__version__}, {len(P['labels'])} examples, {total} iterations, {ours['capped']} fits at the cap")
    print(f"ogdl is {ratio:.1f} times faster than scikit-learn, and {bare:.1f} times faster than its compiled core")
    if wrong:
        print("the answers disagree in: " + ", ".join(sorted(set(wrong))))
    else:
        print("iterations of every fit, inner accuracies, choice and predictions are the same")
    slow = ratio < TIMES and not arguments.quick
    if slow:
        print(f"less than {TIMES:g} times faster")
    sys.exit(1 if wrong or slow else 0)


if __name__ == "__main__":
    main()
