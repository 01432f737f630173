"""What scripts/bench says of a run: figures.py table <bench.json> [<peers.json>], or figures.py plot <bench.json> <folder>

`table` prints a Markdown table, and needs nothing but Python; `plot` draws PNGs with matplotlib. A case is <case>/<who>/<size>; times are the
least of the repetitions, in brackets their median: of the thread where OMP_NUM_THREADS is 1, since the machine may do other things; else what
has passed.
"""

import json
import os
import statistics
import sys

UNITS = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}  # microseconds
CLOCK = "cpu_time" if os.environ.get("OMP_NUM_THREADS") == "1" else "real_time"
WHOS = ["koila", "eager", "eager_in_chunks", "floor"]


def cases_of(bench, peers=None):
    """(case, size) -> who -> (least, median), microseconds; and the same -> counters of koila and eager."""
    times, counters = {}, {}
    with open(bench, encoding="utf-8") as file:
        for row in json.load(file)["benchmarks"]:
            if row.get("run_type") != "iteration" or "error_occurred" in row:
                continue
            case, *rest = row["name"].split("/")
            if not rest or case == "chunks":
                continue
            who, size = rest[0], "/".join(p for p in rest[1:] if p.isdigit())
            times.setdefault((case, size), {}).setdefault(who, []).append(row[CLOCK] * UNITS[row["time_unit"]])
            if "peak" in row:
                counters.setdefault((case, size), {})[who] = row["peak"]
    out = {at: {who: (min(t), statistics.median(t)) for who, t in of.items()} for at, of in times.items()}
    if peers and os.path.exists(peers):
        with open(peers, encoding="utf-8") as file:
            for row in json.load(file):
                of = out.get((row["name"], str(row["size"])))
                if of is not None:
                    of[row["who"]] = (row["microseconds"], row["median"])
    return out, counters


def spell(us):
    return f"{us:,.2f}" if us < 10 else f"{us:,.1f}" if us < 100 else f"{us:,.0f}"


def table(bench, peers=None):
    cases, peaks = cases_of(bench, peers)
    others = sorted({who for of in cases.values() for who in of} - set(WHOS))
    whos = [who for who in WHOS + others if any(who in of for of in cases.values())]
    head = ["case", "size", *(f"{who.replace('_', ' ')}, us" for who in whos), "koila / eager", "koila / floor", "peak koila, eager, MB"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for (case, size), of in cases.items():
        if "koila" not in of or len(of) < 2:
            continue
        ratio = lambda who: f"{of['koila'][0] / of[who][0]:.2f}" if who in of else ""
        cells = [f"{spell(of[w][0])} ({spell(of[w][1])})" if w in of else "" for w in whos]
        peak = ", ".join(f"{v / 1e6:,.1f}" for v in (peaks.get((case, size), {}).get(w) for w in ("koila", "eager")) if v is not None)
        print("| " + " | ".join([case.replace("_", " "), f"{int(size):,}" if size.isdigit() else size, *cells, ratio("eager"), ratio("floor"), peak]) + " |")
    chunks(bench)


def chunks(bench):
    """Which chunk was chosen, and its time over that of the best."""
    with open(bench, encoding="utf-8") as file:
        rows = [r for r in json.load(file)["benchmarks"] if r["name"].startswith("chunks/") and r.get("run_type") == "iteration" and "over_best" in r]
    best = {}
    for r in rows:
        if r["name"] not in best or r["over_best"] < best[r["name"]]["over_best"]:
            best[r["name"]] = r
    if not best:
        return
    print("\n| model | samples | chosen | its time / the best's | milliseconds of each chunk |\n|---|---|---|---|---|")
    for name, r in best.items():
        _, model, size = name.split("/")[:3]
        each = sorted((int(k[3:]), v) for k, v in r.items() if k.startswith("ms_"))
        spelt = ", ".join(f"{c:,}: {ms:.3g}" for c, ms in each)
        print(f"| {model.replace('_', ' ')} | {int(size):,} | {int(r['chunk']):,} | {r['over_best']:.2f} | {spelt} |")


def plot(bench, folder):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    cases, _ = cases_of(bench)
    both = {at: of for at, of in cases.items() if "koila" in of and "eager" in of}
    parts = {"steps": {at: of for at, of in both.items() if "_step" in at[0]}, "chains": {at: of for at, of in both.items() if "chain" in at[0]}}
    for name, part in parts.items():
        if not part:
            continue
        figure, axes = pyplot.subplots(figsize=(7, 0.6 + 0.17 * len(part)), dpi=100)
        labels = [f"{case.replace('_', ' ')}, {int(size):,}" for case, size in part]
        axes.barh(labels, [of["koila"][0] / of["eager"][0] for of in part.values()], color="#4477aa", height=0.7, label="koila")
        for who, colour in (("eager_in_chunks", "#ee6677"), ("floor", "#222222")):
            dots = [(of[who][0] / of["eager"][0], i) for i, of in enumerate(part.values()) if who in of]
            if dots:
                axes.plot(*zip(*dots), "|", color=colour, markersize=9, markeredgewidth=2, label=who.replace("_", " "))
        axes.axvline(1, color="#888888", linewidth=1)
        axes.set_xlim(0, max(1.1, 1.05 * max(of["koila"][0] / of["eager"][0] for of in part.values())))
        axes.set_xlabel("time / eager LibTorch's whole batch")
        axes.invert_yaxis()
        axes.tick_params(labelsize=7)
        axes.margins(y=0.01)
        axes.legend(fontsize=7, loc="lower right")
        figure.tight_layout()
        figure.savefig(os.path.join(folder, f"bench_{name}.png"), metadata={"Software": None})
        print(os.path.join(folder, f"bench_{name}.png"))


if __name__ == "__main__":
    {"table": table, "plot": plot}[sys.argv[1]](*sys.argv[2:])
