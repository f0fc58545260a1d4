"""The authors' released code and ogdl on the same data: see compare_with_released.sh, which starts this.

The released loader, initial atoms, batches, unmixing, Adam, projection and evaluation run as they are. Changed from outside, because the code
does not run otherwise or only writes files: modules for plots, tables and progress bars that are not installed are replaced by
empty ones; the folder of the data gets the names that the loader expects; save_elements does nothing. The steps after the
learning are those of run_GW_GDL.py and run_FGW_GDL.py, whose scripts only start from a command line.

The released GDL_h learns, but neither its unmixing of the data set nor its GW k-means runs. Changed for it, too: the unmixing reads the graphs
under names that the class does not have, and gives its solver an argument that the solver does not take; GW k-means calls numpy.min with
two numbers and sets no centroids. Where it ends with an error, when a cluster is empty or its first round is not better than its start, its
last clusters are scored. See run_extended.
"""
import argparse
import contextlib
import csv
import glob
import hashlib
import io
import json
import os
import statistics
import subprocess
import sys
import time
import types
import warnings

COMMIT = "ceee505"
# The first 16 digits of the SHA-256 of the files that are imported, at COMMIT.
FILES = {
    "GDL_GWalgo.py": "0658cdcb1c6add6b",
    "GDL_FGWalgo.py": "ba8bb269b02cd9fb",
    "GDL_utils.py": "46a3feea5e9cc72f",
    "GW_kmeans_algorithm.py": "2d96a86ea3f84fb5",
    "dataloader.py": "d5897842e6b5e28c",
    "graph_class.py": "a0e16bd2f6a04bb1",
    "local_gromov_optimizer.py": "e4d50b63c57f2342",
    "random_toydatasets.py": "35e7306bf33555e5",
}

# The released name, ogdl's name, the folder that the released loader reads, the folder of the TU set, clusters, the paper's GDL.
SETS = {
    "IMDB-B": ("imdb-b", "IMDB-BINARY", "IMDB-BINARY", 2, "51.32 (0.30)"),
    "IMDB-M": ("imdb-m", "IMDB-MULTI", "IMDB-MULTI", 3, "55.08 (0.28)"),
    "MUTAG": ("mutag", "MUTAG_2", "MUTAG", 2, "70.02 (0.29)"),
    "PTC-MR": ("ptc", "PTC_MR", "PTC_MR", 2, "51.53 (0.36)"),
    "BZR": ("bzr", "BZR", "BZR", 2, "62.59 (1.68)"),
    "COX2": ("cox2", "COX2", "COX2", 2, "58.39 (0.52)"),
    "ENZYMES": ("enzymes", "ENZYMES_2", "ENZYMES", 6, "66.97 (0.93); 71.83 (0.18) with batches of 64"),
    "PROTEIN": ("protein", "PROTEINS_full", "PROTEINS_full", 2, "60.22 (0.30)"),
}

# Data set, method, atoms per class, order, alpha (None: no features), step of the structures, of the features (GDL_h: of the node
# weights), batch, epochs, seeds. Steps of .01 and .001 are those of the released commands, .1 and 1 those of the supplement. Cheap settings
# first: the budget ends the list.
SETTINGS = [
    ("MUTAG", "GDL", 2, 17, 0.995, 0.01, 0.01, 16, 40, 5),
    ("MUTAG", "GDL", 2, 17, 0.995, 0.1, 1.0, 16, 40, 5),
    ("PTC-MR", "GDL", 2, 14, 0.995, 0.01, 0.01, 16, 40, 3),
    ("PTC-MR", "GDL", 2, 14, 0.995, 0.1, 1.0, 16, 40, 3),
    ("IMDB-M", "GDL", 4, 10, None, 0.01, None, 16, 5, 5),
    ("IMDB-M", "GDL", 4, 10, None, 0.1, None, 16, 5, 5),
    ("IMDB-B", "GDL", 2, 17, None, 0.01, None, 16, 5, 5),
    ("IMDB-B", "GDL", 2, 17, None, 0.1, None, 16, 5, 5),
    ("PROTEIN", "GDL", 2, 26, 0.999999, 0.01, 0.01, 16, 2, 3),
    ("PROTEIN", "GDL", 2, 26, 0.999999, 0.1, 1.0, 16, 2, 3),
    ("BZR", "GDL", 4, 35, 0.999999, 0.01, 0.01, 16, 4, 3),
    ("BZR", "GDL", 4, 35, 0.999999, 0.1, 1.0, 16, 4, 3),
    ("COX2", "GDL", 4, 41, 0.999999, 0.01, 0.01, 16, 4, 3),
    ("COX2", "GDL", 4, 41, 0.999999, 0.1, 1.0, 16, 4, 3),
    ("ENZYMES", "GDL", 2, 32, 0.999999, 0.01, 0.01, 64, 2, 3),
    ("ENZYMES", "GDL", 2, 32, 0.999999, 0.1, 1.0, 64, 2, 3),
    ("IMDB-M", "GDL_h", 4, 10, None, 0.01, 0.001, 16, 1, 1),
    ("IMDB-B", "GDL", 4, 17, None, 0.01, None, 16, 5, 5),
    ("IMDB-B", "GDL", 4, 17, None, 0.1, None, 16, 5, 5),
    ("BZR", "GDL", 4, 35, 0.999999, 0.01, 0.01, 16, 40, 3),
    ("PROTEIN", "GDL", 2, 26, 0.999999, 0.1, 1.0, 16, 40, 3),
]
COLUMNS = ["dataset", "method", "atoms", "order", "alpha", "step_structure", "step_features", "batch", "epochs", "tool", "version", "commit", "seed", "cpu_seconds", "rand_index"]


def fail(text):
    sys.exit("compare_with_released: " + text)


def check(checkout):
    """check ends the program unless the imported files are those of COMMIT."""
    for name, want in FILES.items():
        path = os.path.join(checkout, "code", name)
        if not os.path.exists(path):
            fail(f"{path}: no such file; {checkout} is not a checkout of the released code")
        with open(path, "rb") as f:
            got = hashlib.sha256(f.read()).hexdigest()[:16]
        if got != want:
            fail(f"{path} differs from commit {COMMIT} (SHA-256 {got}..., want {want}...)")


def released(checkout, data, work):
    """released imports the checkout and returns its two classes, its utilities and the folder of the data."""
    for name in ["tqdm", "pandas", "pylab", "matplotlib", "matplotlib.pyplot", "matplotlib.colors", "matplotlib.cm"]:
        try:
            __import__(name)
        except ImportError:
            sys.modules[name] = types.ModuleType(name)
    sys.modules["tqdm"].tqdm = lambda iterable, **_: iterable
    sys.path.insert(0, os.path.join(checkout, "code"))
    folder = os.path.join(work, "data", "")
    os.makedirs(folder)
    for _, link, tu, _, _ in SETS.values():
        os.symlink(os.path.abspath(os.path.join(data, tu)), folder + link)
    import GDL_FGWalgo
    import GDL_GWalgo
    import GDL_utils
    import GW_kmeans_algorithm

    gw, fgw, extended = GDL_GWalgo.GW_Unsupervised_DictionaryLearning, GDL_FGWalgo.FGW_Unsupervised_DictionaryLearning, GDL_GWalgo.extended_GW_Unsupervised_DictionaryLearning
    for writer in [gw, fgw, extended, GW_kmeans_algorithm.GW_Kmeans_extendedDL]:
        writer.save_elements = lambda self, save_settings=False: None
    return gw, fgw, extended, GW_kmeans_algorithm, GDL_utils, folder


def run_extended(modules, dataset, atoms, order, step, step_weights, batch, epochs, seed):
    """run_extended is run_released for GDL_h: it mends from outside what keeps the released code from running, as the head of this file says."""
    import numpy as np
    from sklearn.metrics import rand_score

    _, _, extended, kmeans, utils, folder = modules
    name, _, _, classes, _ = SETS[dataset]
    learner = extended(name, "ADJ", atoms, order, "", "", data_path=folder)
    learner.Stochastic_algorithm(0.0, eps=1e-5, max_iter_outer=20, max_iter_inner=100, lr_Cs=step, lr_hs=step_weights, batch_size=batch,
                                 beta_1=0.9, beta_2=0.99, epochs=epochs, algo_seed=seed, init_mode_atoms=1, init_hs_mode=1)
    learner.C_target, learner.h_target = learner.graphs, learner.masses
    solver = learner.solver_masses_unregularized
    learner.solver_masses_unregularized = lambda wh, v, verbose=False: solver(wh, v)
    w, v, losses = learner.extendedGDL_unmixing(0.0, 1e-5, 20, 100)
    structures, weights = [np.tensordot(x, learner.Cs, 1) for x in w], list(v @ learner.hs)
    distances = [utils.np_GW2(*graph)[0] for graph in zip(learner.graphs, structures, learner.masses, weights)]
    print(f"GDL_h, seed {seed}: mean objective {np.mean(losses):.3f} as reported, {np.mean(distances):.3f} as GW of graph and model", file=sys.stderr)

    class Clusters(kmeans.GW_Kmeans_extendedDL):
        def init_centroids(self):
            super().init_centroids()
            self.centroids = [self.C_target[i] for i in self.centroids_idx]

    class Numpy:
        min = staticmethod(min)  # numpy's own takes the second number for an axis

        def __getattr__(self, name):
            return getattr(np, name)

    kmeans.np = Numpy()
    clusters = Clusters(structures, weights, learner.labels, "", "")
    with contextlib.suppress(IndexError, UnboundLocalError):  # a cluster is empty; the first round is not better than the start
        clusters.training(classes, order, seed=seed)
    return 100 * rand_score(learner.labels, clusters.assignments)


def run_released(modules, setting, seed):
    """run_released learns, embeds, clusters and scores as the released scripts do, and returns the Rand Index in percent."""
    import numpy as np
    from scipy.linalg import sqrtm
    from sklearn.cluster import KMeans
    from sklearn.metrics import rand_score

    gw, fgw, _, _, utils, folder = modules
    dataset, method, per_class, order, alpha, step, step_features, batch, epochs, _ = setting
    name, _, _, classes, _ = SETS[dataset]
    atoms = per_class * classes
    if method == "GDL_h":
        return run_extended(modules, dataset, atoms, order, step, step_features, batch, epochs, seed)
    if alpha is None:
        learner = gw(name, "ADJ", atoms, order, "", "", data_path=folder)
        learner.Stochastic_GDL(0.0, eps=1e-5, max_iter_outer=20, max_iter_inner=100, lr=step, batch_size=batch, beta_1=0.9, beta_2=0.99,
                               epochs=epochs, algo_seed=seed, init_mode_atoms=1)
        metric, labels, state = utils.compute_mahalanobis_matrix(learner.Cs), learner.labels, seed
    else:
        learner = fgw(name, "ADJ", atoms, order, alpha, "", "", data_path=folder)
        learner.Stochastic_GDL(0.0, eps=1e-5, max_iter_outer=20, max_iter_inner=100, lr_Cs=step, lr_As=step_features, batch_size=batch, beta_1=0.9,
                               beta_2=0.99, epochs=epochs, algo_seed=seed, init_mode_atoms=1)
        metric, labels, state = utils.compute_mahalanobisFGW_matrix(learner.Cs, learner.As, alpha), learner.y, 0
    w, _ = learner.GDL_unmixing(0.0, 1e-5, 20, 100)
    root = sqrtm(metric)
    points = np.zeros_like(w)
    for i in range(len(w)):
        points[i] = root.dot(w[i])
    found = KMeans(n_clusters=classes, init="k-means++", n_init=100, random_state=state, tol=1e-9, max_iter=10**5).fit_predict(points)
    return 100 * rand_score(labels, found)


def run_ogdl(binary, data, work, setting, seeds):
    """run_ogdl computes the setting for all seeds and returns (seed, CPU seconds, Rand Index in percent) of each."""
    dataset, method, per_class, order, alpha, step, step_features, batch, epochs, _ = setting
    name = "released_" + hashlib.sha256(repr(setting).encode()).hexdigest()[:8]
    grid = {"dataset": dataset, "method": method, "lambda": 0, "atoms_per_class": per_class, "order": order, "init": "sample", "batch": batch, "epochs": epochs,
            "step_structure": step}
    if alpha is not None:
        grid |= {"features": "labels" if dataset in ("MUTAG", "PTC-MR") else "attributes", "alpha": alpha, "step_features": step_features}
    if method == "GDL_h":
        grid["step_weights"] = step_features
    text = f'table = "{"clustering_gw_kmeans" if method == "GDL_h" else "clustering"}"\nseed = 1\nrepetitions = {seeds}\n\n[[grid]]\nunmix_starts = ["product"]\n'
    text += "".join(f"{key} = {json.dumps(value)}\n" for key, value in grid.items())
    path, out = os.path.join(work, name + ".toml"), os.path.join(work, name)
    with open(path, "w") as f:
        f.write(text)
    ran = subprocess.run([binary, "run", "-config", path, "-data", data, "-out", out, "-workers", "1"], capture_output=True, text=True)
    if ran.returncode:
        fail("ogdl: " + ran.stderr)
    rows = []
    for file in glob.glob(os.path.join(out, "store", "*", "*.json")):
        if file.endswith(".timing.json"):
            continue
        with open(file) as f, open(file.removesuffix(".json") + ".timing.json") as t:
            record, timing = json.load(f)["record"], json.load(t)["record"]
        rows.append((record["repetition"], timing["cpu_seconds"], 100 * record["scores"]["ri"]))
    return sorted(rows)


def key(setting):
    dataset, method, per_class, order, alpha, step, step_features, batch, epochs, _ = setting
    shown = lambda x: "" if x is None else str(x)
    return [dataset, method, str(per_class * SETS[dataset][3]), str(order), shown(alpha), str(step), shown(step_features), str(batch), str(epochs)]


def summary(rows, out):
    """summary writes a line for each setting: both tools' mean (standard deviation), their runs and the paper's value."""
    def cell(own):
        values = [float(row["rand_index"]) for row in own]
        if not values:
            return "-"
        spread = f" ({statistics.pstdev(values):.2f})" if len(values) > 1 else ""
        return f"{statistics.mean(values):.2f}{spread} {len(values)} runs {sum(float(r['cpu_seconds']) for r in own):.0f} s"

    for setting in SETTINGS:
        own = [row for row in rows if [row[c] for c in COLUMNS[:9]] == key(setting)]
        if own:
            dataset, method, atoms, order, alpha, step, step_features, batch, epochs = key(setting)
            what = f"{dataset}, {method}, {atoms} atoms of order {order}" + (f", alpha {alpha}" if alpha else "") + f", steps {step}" + (f" / {step_features}" if step_features else "")
            print(f"{what}, batches of {batch}, {epochs} epochs", file=out)
            print("    released {}   ogdl {}   paper {}".format(*(cell([r for r in own if r["tool"] == t]) for t in ("released", "ogdl")), "57.12 (0.30)" if method == "GDL_h" else SETS[dataset][4]), file=out)


def main():
    parser = argparse.ArgumentParser(prog="compare_with_released.sh")
    parser.add_argument("checkout")
    for name, default in [("data", os.environ.get("OGDL_DATA", "data")), ("only", ""), ("out", None), ("ogdl", None), ("work", None), ("root", None)]:
        inner = name in ("ogdl", "work", "root")  # the script gives them
        parser.add_argument("-" + name, default=default, help=argparse.SUPPRESS if inner else None)
    parser.add_argument("-seeds", type=int)
    parser.add_argument("-budget", type=float, default=12, metavar="HOURS")
    args = parser.parse_args()
    out = args.out or os.path.join(args.root, "docs", "reproduction", "released.csv")
    chosen = [setting for setting in SETTINGS if args.only in " ".join(key(setting))]
    if not chosen:
        fail(f"-only {args.only}: no setting has this text; settings: " + "; ".join(" ".join(key(setting)) for setting in SETTINGS))
    check(args.checkout)
    for _, _, tu, _, _ in SETS.values():
        if not os.path.isdir(os.path.join(args.data, tu)):
            fail(f"{args.data}/{tu}: no such folder; scripts/fetch_tudatasets.sh fetches it")
    rows = []
    if os.path.exists(out):
        with open(out, newline="") as f:
            rows = list(csv.DictReader(f))
    modules = released(args.checkout, args.data, args.work)
    import numpy
    import ot
    import sklearn

    version = f"Python {sys.version.split()[0]}, numpy {numpy.__version__}, POT {ot.__version__}, scikit-learn {sklearn.__version__}"
    ours = subprocess.run([args.ogdl, "version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
    commit = subprocess.run(["git", "-C", args.root, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()

    def add(setting, *values):
        rows.append(dict(zip(COLUMNS, key(setting) + [str(v) for v in values])))
        print(" ".join(key(setting)) + ": {0} seed {3}, {4} s, Rand Index {5}".format(*values), file=sys.stderr)
        with open(out + ".new", "w", newline="") as f:
            writer = csv.DictWriter(f, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        os.replace(out + ".new", out)

    begin = time.process_time()
    for setting in chosen:
        seeds = args.seeds or setting[-1]
        there = {(row["tool"], row["seed"]) for row in rows if [row[c] for c in COLUMNS[:9]] == key(setting)}
        for seed in range(seeds):
            if ("released", str(seed)) in there:
                continue
            if time.process_time() - begin > 3600 * args.budget:
                print(f"the budget of {args.budget} hours is spent")
                return summary(rows, sys.stdout)
            started = time.process_time()
            with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                score = run_released(modules, setting, seed)
            add(setting, "released", version, COMMIT, seed, f"{time.process_time() - started:.1f}", f"{score:.4f}")
        if any(("ogdl", str(seed)) not in there for seed in range(seeds)):
            for seed, seconds, score in run_ogdl(args.ogdl, args.data, args.work, setting, seeds):
                if ("ogdl", str(seed)) not in there:
                    add(setting, "ogdl", ours, commit, seed, f"{seconds:.1f}", f"{score:.4f}")
    summary(rows, sys.stdout)


if __name__ == "__main__":
    main()
