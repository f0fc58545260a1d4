"""POT and ogdl on the same problems, in turn, in CPU time. Run by compare_with_pot.sh.

Makes the problems (from TU data sets or generated graphs), writes each row's problems to one npz
file that both sides solve, and lets them take turns: POT in this process, ogdl in the process given
by -driver, which answers on its standard output. Both count the CPU time of their own process, and
both run on one thread. A round is one pass over all problems of a row; the time of a problem is its
median over the rounds.

It runs with POT 0.8 and 0.9, whose defaults differ: each row has what the version at hand can do, and
ogdl is given the same. Linear OT is POT's compiled core, `emd_c`, without its Python wrapper, on costs
shifted to be non-negative outside the clock. A warm row replays the costs of POT's own GW solves: POT starts each
problem anew, since it has no warm start; ogdl starts from the basis of the problem before.

An embedding row is about the time to embed one graph in a learned dictionary. ogdl learns it from the
whole data set, both sides embed the same graphs in the same atoms, and the objective is that of the
weights and the coupling that a side returns, computed here for both.

A learning row is about the time to learn a dictionary: both sides begin with the same atoms and make the same number of epochs with the same
batches' size and step; the objective is that of ogdl's embeddings of all graphs in the atoms of either side.
"""

import argparse
import inspect
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
import ot
import ot.optim
from ot.lp.emd_wrap import emd_c  # ot.lp itself has it in POT 0.8 only

SEED = 20210718
EMD_ITERATIONS = 10**7
RELABELLINGS = 3
LENGTH = 40  # problems of a warm sequence at most
LEARNED_FROM = 200  # graphs that a dictionary is learned from where they are generated
EPOCHS = 5
PRECISION = 1e-4  # of an embedding, relative; ogdl's side has it too
MEDIAN_MS, MEAN_MS, PERCENT = 0.3, 0.8, 1.0  # what an embedding by ogdl may take, and cost more than POT's
FEASIBLE = 1e-9  # how far couplings and weights may be from feasible, and reported objectives from true ones
NAMES = ["IMDB-BINARY", "IMDB-MULTI", "MUTAG", "PTC_MR", "BZR", "COX2", "ENZYMES", "PROTEINS_full"]


class Graph:
    def __init__(self, adjacency, attributes=None):
        self.C = adjacency
        self.A = attributes
        self.n = len(adjacency)


# --- graphs -----------------------------------------------------------------------------------


def read_tu(folder, name):
    """The graphs of one TU folder: 0/1 symmetric adjacency without loops, real attributes if any."""
    stem = os.path.join(folder, name, name)
    owner = np.loadtxt(stem + "_graph_indicator.txt", dtype=np.int64)
    edges = np.loadtxt(stem + "_A.txt", dtype=np.int64, delimiter=",") - 1
    attributes = None
    if os.path.exists(stem + "_node_attributes.txt"):
        attributes = np.loadtxt(stem + "_node_attributes.txt", dtype=np.float64, delimiter=",", ndmin=2)
    ids = np.unique(owner)
    first = {g: np.flatnonzero(owner == g)[0] for g in ids}
    matrices = {g: np.zeros((np.sum(owner == g),) * 2) for g in ids}
    for i, j in edges:
        if i != j:
            g = owner[i]
            matrices[g][i - first[g], j - first[g]] = matrices[g][j - first[g], i - first[g]] = 1.0
    return [
        Graph(matrices[g], None if attributes is None else attributes[owner == g].copy()) for g in ids
    ]


def generated(rng, n, dense, dim=0):
    """A graph of order n: three blocks with edge probabilities 0.9 / 0.1, or a tree with a few cycles."""
    C = np.zeros((n, n))
    if dense:
        block = np.arange(n) * rng.integers(1, 4) // n
        probability = np.where(block[:, None] == block[None, :], 0.9, 0.1)
        C = np.triu(rng.random((n, n)) < probability, 1).astype(np.float64)
    else:
        for i in range(1, n):
            C[rng.integers(max(0, i - 4), i), i] = 1.0
        for _ in range(max(1, n // 8)):
            i, j = np.sort(rng.choice(n, 2, replace=False)) if n > 1 else (0, 0)
            C[i, j] = 1.0 if i != j else 0.0
    C = C + C.T
    order = rng.permutation(n)
    A = rng.normal(size=(n, dim)) * 3.0 if dim else None
    return Graph(np.ascontiguousarray(C[np.ix_(order, order)]), A)


class Source:
    """Where graphs come from: the data sets of a folder, or the generator."""

    def __init__(self, folder):
        self.sets = {}
        if folder:
            for name in NAMES:
                if os.path.exists(os.path.join(folder, name, name + "_A.txt")):
                    self.sets[name] = read_tu(folder, name)
            if not self.sets:
                sys.exit(f"compare_with_pot: no TU data set in {folder} (expected e.g. MUTAG/MUTAG_A.txt)")

    def of_order(self, rng, n, count):
        """count different graphs of order n over all data sets, of the nearest orders where n is rare."""
        pool = [g for name in sorted(self.sets) for g in self.sets[name]]
        if not pool:
            return [generated(rng, n, dense=k % 2 == 0) for k in range(count)]
        near = sorted(range(len(pool)), key=lambda k: (abs(pool[k].n - n), k))
        exact = [k for k in near if pool[k].n == n]
        near = exact if len(exact) >= count else near[:count]
        return [pool[k] for k in rng.choice(near, count, replace=False)]

    def pairs_of_order(self, rng, n, m, count):
        """count pairs of graphs of orders n and m."""
        if n != m:
            return list(zip(self.of_order(rng, n, count), self.of_order(rng, m, count)))
        graphs = self.of_order(rng, n, 2 * count)
        return list(zip(graphs[:count], graphs[count:]))

    def of_set(self, rng, name, order, count, dim=0, dense=False):
        """count graphs of one data set, orders as they come; generated ones around its order."""
        if self.sets:
            if name not in self.sets:
                return None
            picks = rng.choice(len(self.sets[name]), count, replace=False)
            return [self.sets[name][k] for k in picks]
        orders = rng.integers(max(4, order * 2 // 3), order * 4 // 3 + 1, size=count)
        return [generated(rng, int(n), dense, dim) for n in orders]

    def whole(self, rng, name, order, count, dense=False):
        """All graphs of one data set; count generated ones around its order."""
        return self.sets.get(name) if self.sets else self.of_set(rng, name, order, count, dense=dense)

    def of_set_and_order(self, rng, name, order, count, dim=0, dense=False):
        """count graphs of one data set with exactly this order (drawn again where there are too few)."""
        if self.sets:
            pool = [g for g in self.sets.get(name, []) if g.n == order]
            if not pool:
                return None
            return [pool[k] for k in rng.choice(len(pool), count, replace=len(pool) < count)]
        return [generated(rng, order, dense, dim) for _ in range(count)]


def relabelled(rng, g):
    """The graph under random orders of its nodes: another order may end in another local minimum."""
    for _ in range(RELABELLINGS):
        order = rng.permutation(g.n)
        yield Graph(
            np.ascontiguousarray(g.C[np.ix_(order, order)]),
            None if g.A is None else np.ascontiguousarray(g.A[order]),
        )


# --- POT's side -------------------------------------------------------------------------------


def uniform(n):
    return np.full(n, 1.0 / n)


def squared_distances(A, B):
    return np.maximum((A**2).sum(1)[:, None] + (B**2).sum(1)[None, :] - 2.0 * A.dot(B.T), 0.0)


def transport(a, b, M):
    """One linear problem by POT's network simplex; M must not be negative."""
    _, cost, _, _, code = emd_c(a, b, M, EMD_ITERATIONS, 1)
    if code != 1:
        sys.exit(f"compare_with_pot: emd_c returned code {code}, not optimal")
    return cost


def shifted(M):
    """Costs moved to be non-negative (emd_c gives up on negative ones) and how far."""
    low = min(0.0, float(M.min()))
    return np.ascontiguousarray(M - low), low


ITERATIONS = 10000
ITERATIONS_LARGE = 300  # above order 100, on both sides: some pairs would take POT minutes
NEWER = "tol_rel" in inspect.signature(ot.gromov.gromov_wasserstein).parameters  # POT 0.9 has names of its own


def stops(iterations):
    """How a (F)GW solve ends, in the names of POT's version."""
    if NEWER:
        return dict(tol_rel=1e-9, tol_abs=1e-9, max_iter=iterations)
    return dict(stopThr=1e-9, stopThr2=1e-9, numItermax=iterations)


# The couplings within an unmixing: POT 0.9 solves them by the inner tolerance, which cannot be told otherwise,
# POT 0.8 as any (F)GW problem. What ogdl is given to do the same (negative: never).
if NEWER:
    UNMIX, SAME = {}, dict(tol_rel=1e-5, tol_abs=-1, iterations=200)
else:
    UNMIX, SAME = stops(ITERATIONS), dict(tol_rel=1e-9, tol_abs=1e-9, iterations=ITERATIONS)


def pot_gw(P):
    C1, C2 = P["C1"], P["C2"]
    _, log = ot.gromov.gromov_wasserstein(
        C1, C2, uniform(len(C1)), uniform(len(C2)), "square_loss", log=True,
        **stops(P.get("iterations", ITERATIONS))
    )
    return float(log["gw_dist"])


def pot_fgw(P):
    C1, C2 = P["C1"], P["C2"]
    M = squared_distances(P["A1"], P["A2"])
    _, log = ot.gromov.fused_gromov_wasserstein(
        M, C1, C2, uniform(len(C1)), uniform(len(C2)), "square_loss", alpha=P["alpha"], log=True,
        **stops(ITERATIONS)
    )
    return float(log["fgw_dist"])


def pot_unmix(P):
    *_, loss = ot.gromov.gromov_wasserstein_linear_unmixing(
        P["C"], P["atoms"].copy(), 0.0, tol_outer=1e-5, tol_inner=1e-5, max_iter_outer=20,
        max_iter_inner=200, **UNMIX
    )
    return float(loss)


def pot_embed(P):
    """Weights and coupling of one embedding, by POT's own settings but for the tolerance."""
    w, _, T, _ = ot.gromov.gromov_wasserstein_linear_unmixing(P["C"], P["atoms"], tol_outer=PRECISION)
    return w, T


def pot_round(row):
    """CPU seconds and values, problem by problem, of one pass."""
    seconds, values = [], []
    if row["kind"] in ("cold", "warm"):
        # Too short for a clock of their own: one reading around all of them.
        got = []
        begin = time.process_time()
        for a, b, costs, _ in row["prepared"]:
            got.append([transport(a, b, M) for M in costs])
        elapsed = time.process_time() - begin
        for cost, (_, _, _, low) in zip(got, row["prepared"]):
            values.append(float(np.mean(np.array(cost) + np.array(low))))
        return [elapsed / sum(len(cost) for cost in got)], values
    solve = {"gw": pot_gw, "fgw": pot_fgw, "unmix": pot_unmix, "embedding": pot_embed}[row["kind"]]
    for P in row["problems"]:
        begin = time.process_time()
        values.append(solve(P))
        seconds.append(time.process_time() - begin)
    return seconds, values


def trajectory(C1, C2):
    """The costs of the first linear problems that POT meets in one GW solve."""
    costs = []
    solver = ot.optim.emd

    def recording(a, b, M, *args, **kwargs):
        costs.append(np.array(M))
        return solver(a, b, M, *args, **kwargs)

    ot.optim.emd = recording
    try:
        pot_gw(dict(C1=C1, C2=C2, iterations=LENGTH))
    finally:
        ot.optim.emd = solver
    return costs


# --- the rows ---------------------------------------------------------------------------------


def distinct(pairs):
    """The pairs whose graphs differ (equal graphs measure only how slowly a value nears 0)."""
    return [(g, h) for g, h in pairs if not np.array_equal(g.C, h.C)]


def cold_row(rng, n, m, count):
    problems = []
    for _ in range(count):
        problems.append(dict(a=uniform(n), b=uniform(m), M=rng.random((1, n, m))))
    return dict(name=f"linear OT, cold, {n} x {m}", kind="cold", problems=problems)


def warm_row(rng, source, n, count, m=None):
    problems = []
    for g, h in distinct(source.pairs_of_order(rng, n, m or n, count)):
        costs = trajectory(g.C, h.C)
        if len(costs) > 1:
            problems.append(dict(a=uniform(g.n), b=uniform(h.n), M=np.array(costs)))
    return dict(name=f"linear OT, warm, {n} x {m or n}", kind="warm", problems=problems)


def gw_row(rng, source, n, count):
    problems = []
    iterations = ITERATIONS_LARGE if n > 100 else ITERATIONS
    for g, h in distinct(source.pairs_of_order(rng, n, n, count)):
        problems += [dict(C1=r.C, C2=h.C, iterations=iterations) for r in relabelled(rng, g)]
    name = f"GW, order {n}" + (f", {iterations} iterations at most" if n > 100 else "")
    return dict(name=name, kind="gw", problems=problems)


def fgw_row(rng, source, name, n, dim, count):
    graphs = source.of_set(rng, name, n, count, dim=dim)
    targets = source.of_set_and_order(rng, name, n, count, dim=dim)
    if not graphs or not targets:
        return None
    problems = []
    for g, h in distinct(zip(graphs, targets)):
        problems += [dict(C1=r.C, A1=r.A, C2=h.C, A2=h.A, alpha=0.5) for r in relabelled(rng, g)]
    return dict(name=f"FGW, {name} x {n}, alpha 0.5", kind="fgw", problems=problems)


def unmix_rows(rng, source, name, n, count, dense):
    """12 atoms: graphs of this order, made real-valued by small noise as learnt atoms are.

    Once with POT's settings on both sides, once with those that ogdl takes by itself: an exact w-step
    and couplings solved to a relative change that the outer tolerance needs.
    """
    graphs = source.of_set(rng, name, n, count, dense=dense)
    atoms = source.of_set_and_order(rng, name, n, 12, dense=dense)
    if not graphs or not atoms:
        return []
    noise = rng.normal(scale=0.05, size=(12, n, n))
    atoms = np.abs(np.array([g.C for g in atoms]) + noise + noise.transpose(0, 2, 1))
    problems = [dict(C=r.C, atoms=atoms) for g in graphs for r in relabelled(rng, g)]
    name = f"unmixing, {name} x {n}, 12 atoms"
    return [
        dict(name=name + ", same settings", kind="unmix", problems=problems, step="same"),
        dict(name=name + ", ogdl defaults", kind="unmix", problems=problems, step="default"),
    ]


def rows(rng, source, quick):
    """Makes the rows one after the other, so that only one row's problems are held at a time."""
    few = 4 if quick else 1
    for n, m, count in [(8, 8, 400), (16, 16, 200), (32, 32, 100), (64, 64, 40), (128, 128, 12),
                        (256, 256, 4), (20, 100, 60), (32, 8, 200)]:
        if not quick or n <= 64:
            yield cold_row(rng, n, m, max(2, count // few))
    for n, m, count in [(10, None, 24), (17, None, 24), (20, None, 24), (32, None, 16), (40, None, 16),
                        (60, None, 8), (126, None, 3), (300, None, 2), (620, 26, 1)]:
        if not quick or n <= 40:
            yield warm_row(rng, source, n, max(1, count // few), m)
    for n, count in [(10, 60), (17, 60), (20, 60), (32, 40), (40, 40), (60, 16), (126, 4), (300, 2)]:
        if not quick or n <= 40:
            yield gw_row(rng, source, n, max(1, count // few))
    yield fgw_row(rng, source, "BZR", 35, 3, 60 // few)
    yield fgw_row(rng, source, "ENZYMES", 32, 18, 60 // few)
    for name, n, dense in [("IMDB-MULTI", 10, True), ("IMDB-BINARY", 17, True), ("MUTAG", 10, False),
                           ("MUTAG", 17, False), ("ENZYMES", 32, False)]:
        if not quick or n <= 17:
            yield from unmix_rows(rng, source, name, n, 40 // few, dense)


def growing_rows(quick):
    """Two families whose problems grow, with graphs drawn whatever the data. A sample of its own seed."""
    rng = np.random.default_rng([SEED, 1000])
    for n in (10, 20, 50, 100, 200, 500, 1000):
        if quick and n > 100:
            return
        row = cold_row(rng, n, n, max(2, 400 // n))
        yield dict(row, name=f"growing, linear OT, order {n}", family="linear OT", order=n)
        pairs = [(generated(rng, n, dense=True), generated(rng, n, dense=True)) for _ in range(max(2, 200 // n))]
        problems = [dict(C1=g.C, C2=h.C, iterations=ITERATIONS_LARGE) for g, h in pairs]
        yield dict(name=f"growing, GW of blocks, order {n}", kind="gw", problems=problems, relabellings=1,
                   family="GW of blocks", order=n)


def exponents(results):
    """Lines that say how each family's cost grows: the slope of log time over log order."""
    families = {}
    for r in results:
        if "family" in r:
            families.setdefault(r["family"], []).append(r)
    for family, members in families.items():
        for low in (0, 100):
            span = [r for r in members if r["order"] >= low]
            if len(span) < 3:
                continue
            n = np.log([r["order"] for r in span])
            pot, ours = (np.polyfit(n, np.log([r[side] for r in span]), 1)[0] for side in ("pot", "ogdl"))
            yield f"{family}, n = {span[0]['order']} .. {span[-1]['order']}: POT takes n^{pot:.2f}, ogdl n^{ours:.2f}"


def embedding_rows(source, quick):
    """The paper's runtimes: its numbers of atoms, of the median order. Samples of their own seed."""
    for name, order, numbers in [("IMDB-BINARY", 17, (12, 16)), ("IMDB-MULTI", 10, (12, 18))]:
        rng = np.random.default_rng([SEED, order])
        graphs = source.whole(rng, name, order, LEARNED_FROM, dense=True)
        if not graphs:
            continue
        sample = np.sort(rng.choice(len(graphs), min(len(graphs), 24 if quick else 200), replace=False))
        median = int(np.median([g.n for g in graphs]))
        for atoms in numbers:
            yield dict(name=f"embedding, {name} x {median}, {atoms} atoms", kind="embedding", atoms=atoms, order=median,
                       graphs=graphs, problems=[dict(C=graphs[k].C) for k in sample])


def learning_rows(source, quick):
    """Dictionaries of two sets of graphs, samples of their own seed."""
    for name, order, atoms, dense in [("MUTAG", 17, 8, False), ("IMDB-MULTI", 10, 12, True)]:
        rng = np.random.default_rng([SEED, order, atoms])
        graphs = source.whole(rng, name, order, LEARNED_FROM, dense=dense)
        if graphs:
            sample = np.sort(rng.choice(len(graphs), min(len(graphs), 24 if quick else 200), replace=False))
            graphs = [graphs[k] for k in sample]
            order = int(np.median([g.n for g in graphs]))
            yield dict(name=f"learning, {name} x {order}, {atoms} atoms, {len(graphs)} graphs", atoms=atoms, order=order, graphs=graphs)


# --- ogdl's side and the table ----------------------------------------------------------------


class Ogdl:
    """The driver: one JSON request a line in, one JSON answer a line out."""

    def __init__(self, command):
        environment = dict(os.environ, GOMAXPROCS="1")
        self.process = subprocess.Popen(
            [command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit("compare_with_pot: the ogdl side ended early")
        answer = json.loads(line)
        if answer.get("error"):
            sys.exit("compare_with_pot: ogdl: " + answer["error"])
        return answer

    def close(self):
        self.process.stdin.close()
        if self.process.wait() != 0:
            sys.exit("compare_with_pot: the ogdl side failed")


def write_npz(path, problems):
    arrays = {}
    for k, P in enumerate(problems):
        for name, value in P.items():
            if name == "atoms":
                arrays["atoms"] = value
            elif isinstance(value, np.ndarray):
                arrays[f"{name}_{k}"] = np.ascontiguousarray(value)
    np.savez(path, **arrays)


def compare(row, ogdl, folder, rounds):
    path = os.path.join(folder, "row.npz")
    write_npz(path, row["problems"])
    if row["kind"] in ("cold", "warm"):
        # A warm sequence begins after its first problem, which both sides solve before the clock.
        skip = 1 if row["kind"] == "warm" else 0
        row["prepared"] = []
        for P in row["problems"]:
            costs = [shifted(M) for M in P["M"][skip:]]
            row["prepared"].append((P["a"], P["b"], [c for c, _ in costs], [low for _, low in costs]))
    first = row["problems"][0]
    settings = SAME if row["kind"] == "unmix" else dict(iterations=first.get("iterations", ITERATIONS))
    ogdl.ask(op="load", file=path, kind=row["kind"], count=len(row["problems"]), step=row.get("step", ""),
             alpha=first.get("alpha", 1.0), **settings)
    pot_times, ogdl_times = [], []
    for _ in range(rounds):
        seconds, pot_values = pot_round(row)
        pot_times.append(seconds)
        answer = ogdl.ask(op="round")
        ogdl_times.append(answer["seconds"])
        ogdl_values = answer["values"]
    pot, ours = np.median(pot_times, axis=0), np.median(ogdl_times, axis=0)
    pot_values, ogdl_values = np.array(pot_values), np.array(ogdl_values)
    result = dict(
        name=row["name"],
        problems=len(row["problems"]),
        pot=float(np.median(pot)) * 1e6,
        ogdl=float(np.median(ours)) * 1e6,
        ratio=float(np.median(pot) / np.median(ours)),
        ratio_of_sums=float(pot.sum() / ours.sum()),
        pot_objective=float(pot_values.mean()),
        ogdl_objective=float(ogdl_values.mean()),
    )
    if "family" in row:
        result.update(family=row["family"], order=row["order"])
    scale = max(abs(result["pot_objective"]), 1e-300)
    result["difference"] = 100.0 * (result["ogdl_objective"] - result["pot_objective"]) / scale
    result["error"] = 0.0
    if row["kind"] in ("cold", "warm"):
        costs = max(1.0, max(float(np.abs(P["M"]).max()) for P in row["problems"]))
        worst = float(np.abs(pot_values - ogdl_values).max())
        result["disagrees"] = worst > 1e-9 * costs
    else:
        # The relabellings of one pair count as one draw.
        draws = (ogdl_values - pot_values).reshape(-1, row.get("relabellings", RELABELLINGS)).mean(axis=1)
        if len(draws) > 1:
            result["error"] = 100.0 * float(draws.std(ddof=1)) / len(draws) ** 0.5 / scale
        result["disagrees"] = result["difference"] - 3.0 * result["error"] > 1.0
    return result


def learn(row, ogdl, folder):
    """The atoms that ogdl learns from the row's graphs, those that it began with, and its CPU seconds."""
    graphs, learned = os.path.join(folder, "graphs.npz"), os.path.join(folder, "atoms.npz")
    write_npz(graphs, [dict(C=g.C) for g in row["graphs"]])
    answer = ogdl.ask(op="learn", file=graphs, count=len(row["graphs"]), atoms=row["atoms"], order=row["order"],
                      epochs=EPOCHS, seed=SEED, out=learned)
    with np.load(learned) as arrays:
        return arrays["atoms"], arrays["start"], answer["seconds"][0]


def compare_learning(row, ogdl, folder):
    """One row of learning."""
    Cs, n = [g.C for g in row["graphs"]], row["order"]
    atoms, start, seconds = learn(row, ogdl, folder)
    begin = time.process_time()
    pot_atoms, _ = ot.gromov.gromov_wasserstein_dictionary_learning(
        Cs, len(start), n, ps=[uniform(len(C)) for C in Cs], q=uniform(n), epochs=EPOCHS, batch_size=16, learning_rate=0.01,
        Cdict_init=start.copy(), projection="nonnegative_symmetric", use_adam_optimizer=True)
    pot_seconds = time.process_time() - begin
    objectives = []
    for dictionary in (pot_atoms, atoms):
        path = os.path.join(folder, "row.npz")
        write_npz(path, [dict(C=C, atoms=np.ascontiguousarray(dictionary)) for C in Cs])
        ogdl.ask(op="load", file=path, kind="embedding", count=len(Cs))
        objectives.append(float(np.mean(ogdl.ask(op="round")["values"])))
    return dict(name=row["name"], pot_seconds=pot_seconds, ogdl_seconds=seconds, ratio=pot_seconds / seconds,
                pot_objective=objectives[0], ogdl_objective=objectives[1],
                difference=100.0 * (objectives[1] / objectives[0] - 1.0))


def returned(P, w, T):
    """The GW objective of weights and coupling, and how far these are from feasible."""
    C, model, p, q = P["C"], np.tensordot(w, P["atoms"], 1), T.sum(1), T.sum(0)
    objective = p @ (C * C) @ p + q @ (model * model) @ q - 2.0 * np.sum((T.T @ C @ T) * model)
    wrong = max(np.abs(p - 1.0 / len(p)).max(), np.abs(q - 1.0 / len(q)).max(), -T.min(), -w.min(), abs(w.sum() - 1.0))
    return float(objective), float(wrong)


def compare_embedding(row, ogdl, folder, rounds, strict):
    """One row of embeddings; strict judges the times too, and the objective without regard to its error."""
    atoms, _, _ = learn(row, ogdl, folder)
    problems = [dict(P, atoms=atoms) for P in row["problems"]]
    path, found = os.path.join(folder, "row.npz"), os.path.join(folder, "found.npz")
    write_npz(path, problems)
    ogdl.ask(op="load", file=path, kind="embedding", count=len(problems))
    pot_times, ogdl_times = [], []
    for _ in range(rounds):
        seconds, pot_found = pot_round(dict(kind="embedding", problems=problems))
        pot_times.append(seconds)
        answer = ogdl.ask(op="round")
        ogdl_times.append(answer["seconds"])
    ogdl.ask(op="write", out=found)
    pot_values, pot_wrong = np.array([returned(P, w, T) for P, (w, T) in zip(problems, pot_found)]).T
    with np.load(found) as arrays:
        ogdl_found = [(arrays[f"w_{k}"], arrays[f"T_{k}"]) for k in range(len(problems))]
    ogdl_values, ogdl_wrong = np.array([returned(P, w, T) for P, (w, T) in zip(problems, ogdl_found)]).T
    pot, ours = 1e3 * np.median(pot_times, axis=0), 1e3 * np.median(ogdl_times, axis=0)
    differences, scale = ogdl_values - pot_values, abs(pot_values.mean())
    result = dict(
        name=row["name"],
        problems=len(problems),
        pot_median_ms=float(np.median(pot)),
        pot_mean_ms=float(pot.mean()),
        ogdl_median_ms=float(np.median(ours)),
        ogdl_mean_ms=float(ours.mean()),
        ratio=float(np.median(pot) / np.median(ours)),
        ratio_of_sums=float(pot.sum() / ours.sum()),
        pot_objective=float(pot_values.mean()),
        ogdl_objective=float(ogdl_values.mean()),
        difference=float(100.0 * differences.mean() / scale),
        error=float(100.0 * differences.std(ddof=1) / len(differences) ** 0.5 / scale),
        infeasible=float(max(pot_wrong.max(), ogdl_wrong.max())),
        untrue=float(np.abs(np.array(answer["values"]) - ogdl_values).max()),
    )
    result["missed"] = missed(result, strict)
    return result


def missed(result, strict):
    """The words for what an embedding row fails to keep."""
    error = 0.0 if strict else 3.0 * result["error"]
    bars = [
        ("median", strict and result["ogdl_median_ms"] > MEDIAN_MS),
        ("mean", strict and result["ogdl_mean_ms"] > MEAN_MS),
        ("objective", result["difference"] - error > PERCENT),
        ("feasibility", result["infeasible"] > FEASIBLE),
        ("reported objective", result["untrue"] > FEASIBLE),
    ]
    return [word for word, fails in bars if fails]


EMBEDDING_HEADER = f"{'embedding one graph, relative precision 1e-4':<44} {'count':>5} {'POT ms: median':>15} {'mean':>7} " \
    f"{'ogdl ms: median':>16} {'mean':>7} {'ratio':>6} {'sums':>6}  {'POT mean':>9} {'ogdl mean':>9} {'diff %':>7} {'+-':>5}"


def embedding_line(r):
    return f"{r['name']:<44} {r['problems']:>5} {r['pot_median_ms']:>15.3f} {r['pot_mean_ms']:>7.3f} " \
        f"{r['ogdl_median_ms']:>16.3f} {r['ogdl_mean_ms']:>7.3f} {r['ratio']:>6.1f} {r['ratio_of_sums']:>6.1f}  " \
        f"{r['pot_objective']:>9.5f} {r['ogdl_objective']:>9.5f} {r['difference']:>+7.2f} {r['error']:>5.2f}  " \
        + ("! " + ", ".join(r["missed"]) if r["missed"] else "pass")


HEADER = f"{'problem':<52} {'count':>5} {'POT us':>11} {'ogdl us':>10} {'ratio':>7} {'sums':>7}  " \
    f"{'POT mean':>10} {'ogdl mean':>10} {'diff %':>7} {'+-':>5}"


def line(r):
    return f"{r['name']:<52} {r['problems']:>5} {r['pot']:>11.2f} {r['ogdl']:>10.2f} {r['ratio']:>7.1f} " \
        f"{r['ratio_of_sums']:>7.1f}  {r['pot_objective']:>10.5g} {r['ogdl_objective']:>10.5g} " \
        f"{r['difference']:>+7.2f} {r['error']:>5.2f}" + ("  !" if r["disagrees"] else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-driver", required=True, help="the built scripts/dev/potcompare")
    parser.add_argument("-data", default="", help="folder of TU data sets; generated graphs without")
    parser.add_argument("-rounds", type=int, default=3)
    parser.add_argument("-quick", action="store_true", help="a quarter of the problems, orders up to 64")
    parser.add_argument("-only", default="", help="only rows whose name contains this text")
    parser.add_argument("-json", default="", help="also write the rows to this file")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("-rounds must be at least 1")

    warnings.simplefilter("ignore")  # POT warns about each problem that it gives up on
    print(f"POT {ot.__version__}, numpy {np.__version__}, one thread each, {arguments.rounds} rounds, CPU time")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print("graphs: " + (f"data sets in {arguments.data}" if arguments.data else "generated"))
    source, ogdl = Source(arguments.data), Ogdl(arguments.driver)
    with tempfile.TemporaryDirectory() as folder:
        results, right = [], True
        if not arguments.only.startswith(("embedding", "learning")):  # no other row's name begins so
            results, right = compare_all(arguments, source, ogdl, folder)
        embeddings, good = compare_all_embeddings(arguments, source, ogdl, folder)
        embeddings += compare_all_learning(arguments, source, ogdl, folder)
    ogdl.close()
    if arguments.json:
        with open(arguments.json, "w") as out:
            json.dump(results + embeddings, out, indent=1)
    if not results + embeddings:
        sys.exit("compare_with_pot: no row to compare")
    if not right or not good:
        sys.exit(1)


def compare_all(arguments, source, ogdl, folder):
    """The rows that are not embeddings: results, and whether all is well."""
    results = []
    every = itertools.chain(rows(np.random.default_rng(SEED), source, arguments.quick), growing_rows(arguments.quick))
    for row in every:
        if not row or not row["problems"] or arguments.only not in row["name"]:
            continue
        if not results:
            print("POT us, ogdl us: median over the problems (linear OT: mean) of the median over the rounds; ratio: of these;")
            print("sums: ratio of the total times; mean: mean objective over three relabellings of each pair (growing: one,")
            print(f"{ITERATIONS_LARGE} iterations at most);")
            print("diff %: how far ogdl's mean lies above POT's, +-: standard error over the pairs")
            print("\n" + HEADER)
        results.append(compare(row, ogdl, folder, arguments.rounds))
        print(line(results[-1]), flush=True)
    for text in exponents(results):
        print(text)
    right = not any(r["disagrees"] for r in results)
    if not right:
        print("\nmarked !: linear values differ, or the mean objective is more than 1 % above POT's (by three errors)")
    elif results:
        print("\nlinear values agree to 1e-9; no mean objective is more than 1 % above POT's (by three errors)")
    return results, right


def compare_all_embeddings(arguments, source, ogdl, folder):
    """The rows of embeddings: results, and whether all is well."""
    # Times are judged where they mean something: on the data sets, over enough graphs.
    strict = bool(arguments.data) and not arguments.quick
    results = []
    for row in embedding_rows(source, arguments.quick):
        if arguments.only not in row["name"]:
            continue
        if not results:
            print("\n" + EMBEDDING_HEADER)
        results.append(compare_embedding(row, ogdl, folder, arguments.rounds, strict))
        print(embedding_line(results[-1]), flush=True)
    if results:
        times = f"ogdl's median at most {MEDIAN_MS} ms and mean at most {MEAN_MS} ms; " if strict else ""
        slack = "" if strict else " (by three errors)"
        print(f"\npass: {times}mean objective at most {PERCENT:g} % above POT's{slack};")
        print(f"couplings and weights feasible, and ogdl's reported objectives true, to {FEASIBLE:g}")
    return results, not any(r["missed"] for r in results)


def compare_all_learning(arguments, source, ogdl, folder):
    """The rows of learning."""
    results = []
    for row in learning_rows(source, arguments.quick):
        if arguments.only not in row["name"]:
            continue
        if not results:
            print(f"\n{f'learning a dictionary, {EPOCHS} epochs from one start':<52} {'POT s':>8} {'ogdl s':>8} {'ratio':>7}  "
                  f"{'POT mean':>9} {'ogdl mean':>9} {'diff %':>7}")
        r = compare_learning(row, ogdl, folder)
        results.append(r)
        print(f"{r['name']:<52} {r['pot_seconds']:>8.2f} {r['ogdl_seconds']:>8.3f} {r['ratio']:>7.1f}  {r['pot_objective']:>9.5f} "
              f"{r['ogdl_objective']:>9.5f} {r['difference']:>+7.2f}", flush=True)
    return results


if __name__ == "__main__":
    main()
