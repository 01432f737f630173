# SPDX-License-Identifier: MIT
"""Prints or draws the results of scripts/bench:

    figures.py table <bench.json> [<peers.json>]
    figures.py headline <reuse.json> <default.json>
    figures.py plot <bench.json> <folder>

`table` prints Markdown tables of a run. If there are results of scripts/bench_peers, it prints them
in a table of their own, with koila's times. `headline` prints the table of docs/performance.md from
two runs: one in which eager LibTorch's memory is reused, and one with malloc's default settings.
`plot` draws PNG files with matplotlib. The other commands need only Python.

A case is named <case>/<who>/<size>. `table` prints the shortest time of the repetitions, and their
median in brackets. If a run had one thread, the times are processor times, because the machine may
be busy with other work. Otherwise they are wall-clock times.
"""

import json
import os
import statistics
import sys

UNITS = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}  # microseconds
WHOS = ["koila", "eager", "eager_in_chunks", "floor"]


def cases_of(bench, peers=None):
    """Returns three dictionaries with the keys (case, size). Their values map
    `who` to its shortest and median time in microseconds, to its peak memory in bytes, and to its
    label about the memory."""
    times, counters, memory = {}, {}, {}
    with open(bench, encoding="utf-8") as file:
        run = json.load(file)
        clock = "cpu_time" if run["context"].get("threads") == "1" else "real_time"
        for row in run["benchmarks"]:
            if row.get("run_type") != "iteration" or "error_occurred" in row:
                continue
            case, *rest = row["name"].split("/")
            if not rest or case == "chunks":
                continue
            who, size = rest[0], "/".join(p for p in rest[1:] if p.isdigit())
            times.setdefault((case, size), {}).setdefault(who, []).append(row[clock] * UNITS[row["time_unit"]])
            if "label" in row:
                memory.setdefault((case, size), {})[who] = row["label"].removeprefix("memory ")
            if "peak" in row:
                counters.setdefault((case, size), {})[who] = row["peak"]
    for (case, size), of in times.items():  # with an eighth of the memory, compared with the same times
        whole = times.get((case.removesuffix("_in_an_eighth"), size), {})
        for who in ("eager", "floor"):
            if who in whole:
                of.setdefault(who, whole[who])
    out = {at: {who: (min(t), statistics.median(t)) for who, t in of.items()} for at, of in times.items()}
    if peers and os.path.exists(peers):
        with open(peers, encoding="utf-8") as file:
            for row in json.load(file):
                of = out.get((row["name"], str(row["size"])))
                if of is not None:
                    of[row["who"]] = (row["microseconds"], row["median"])
    return out, counters, memory


def least_and_median(times):
    least, median = times
    scale, unit = unit_of(least)
    return f"{digits(least / scale)} ({digits(median / scale)}) {unit}"


def median_of(times):
    scale, unit = unit_of(times[1])
    return f"{digits(times[1] / scale)} {unit}"


def unit_of(microseconds):
    return (1e3, "ms") if microseconds >= 1e4 else (1, "us")


def digits(v):
    return f"{v:,.2f}" if v < 10 else f"{v:,.1f}" if v < 100 else f"{v:,.0f}"


def write(head, rows):
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def table(bench, peers=None):
    cases, peaks, memory = cases_of(bench, peers)
    names = lambda at: [at[0].replace("_", " "), f"{int(at[1]):,}" if at[1].isdigit() else at[1]]
    ratio = lambda of, who: f"{of['koila'][0] / of[who][0]:.2f}" if who in of else ""
    megabytes = lambda at, who: f"{peaks[at][who] / 1e6:,.1f}" if who in peaks.get(at, {}) else ""
    known = lambda of, whos: [least_and_median(of[who]) if who in of else "" for who in whos]
    for part in (lambda case: "_step" in case, lambda case: case.startswith("chain_"), lambda case: "_step" not in case and not case.startswith("chain_")):
        here = {at: of for at, of in cases.items() if part(at[0]) and "koila" in of}
        whos = [who for who in WHOS if any(who in of for of in here.values())]
        ratios = [who for who in ("eager", "floor") if who in whos]
        head = ["case", "size", *(who.replace("_", " ") for who in whos), *("koila / " + who for who in ratios)]
        if ratios:
            head += ["MB koila", "MB eager"]
        rows = [names(at) + known(of, whos) + [ratio(of, who) for who in ratios] + ([megabytes(at, "koila"), megabytes(at, "eager")] if ratios else []) for at, of in here.items()]
        if rows:
            write(head, rows)
            said = {who: sorted({memory[at][who] for at in here if who in memory.get(at, {})}) for who in whos}
            print("Memory: " + "; ".join(f"{who.replace('_', ' ')} {' or '.join(of)}" for who, of in said.items() if of) + ".\n")
    others = sorted({who for of in cases.values() for who in of} - set(WHOS))
    rows = [names(at) + known(of, ["koila", *others]) + [ratio(of, who) for who in others] for at, of in cases.items() if "koila" in of and any(who in of for who in others)]
    if rows:
        write(["case", "size", "koila", *(who.replace("_", " ") for who in others), *("koila / " + who.replace("_", " ") for who in others)], rows)
    chunks(bench)


def headline(reuse, default):
    (cases, peaks, _), (others, _, _) = cases_of(reuse), cases_of(default)
    part = lambda case: "_step" in case or case.startswith(("chain_relu_tanh", "softmax", "layer_norm", "cross_entropy", "attention"))
    rows = []
    numbers = lambda size: [int(n) for n in size.split("/")]
    steps_first = lambda at: ("_step" not in at[0], at[0], numbers(at[1]))
    for (case, size), of in sorted(cases.items(), key=lambda each: steps_first(each[0])):
        plain = others.get((case, size), {})
        if not (part(case) and "koila" in of and "eager" in of and "eager" in plain):
            continue
        mb = lambda who: f"{peaks[(case, size)][who] / 1e6:,.1f}" if who in peaks.get((case, size), {}) else ""
        rows.append([case.replace("_", " "), f"{int(size):,}" if size.isdigit() else size.replace("/", " x "), median_of(of["koila"]), median_of(of["eager"]), median_of(plain["eager"]),
                     median_of(of["floor"]) if "floor" in of else "", f"{of['eager'][1] / of['koila'][1]:.2f}", f"{plain['eager'][1] / plain['koila'][1]:.2f}", mb("koila"), mb("eager")])
    write(["case", "size", "koila", "eager, memory reused", "eager", "floor", "eager, reused / koila", "eager / koila", "MB koila", "MB eager"], rows)


def chunks(bench):
    """Prints the chosen chunk size, and its time divided by the time of the fastest chunk size."""
    with open(bench, encoding="utf-8") as file:
        rows = [r for r in json.load(file)["benchmarks"] if r["name"].startswith("chunks/") and r.get("run_type") == "iteration" and "over_best" in r]
    best = {}
    for r in rows:
        if r["name"] not in best or r["over_best"] < best[r["name"]]["over_best"]:
            best[r["name"]] = r
    out = []
    for name, r in best.items():
        _, model, size = name.split("/")[:3]
        each = sorted((int(k[3:]), ms) for k, ms in r.items() if k.startswith("ms_"))
        out.append([model.replace("_", " "), f"{int(size):,}", f"{int(r['chunk']):,}", f"{r['over_best']:.2f}", ", ".join(f"{c:,}: {ms:.3g}" for c, ms in each)])
    if out:
        write(["model", "samples", "chosen", "its time / the best's", "milliseconds of each chunk"], out)


def plot(bench, folder):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from PIL import Image

    cases, _, _ = cases_of(bench)
    both = {at: of for at, of in cases.items() if "koila" in of and "eager" in of}
    parts = {"steps": {at: of for at, of in both.items() if "_step" in at[0]}}
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
        file = os.path.join(folder, f"bench_{name}.png")
        figure.savefig(file)
        with Image.open(file) as drawn:  # with few colours, the file has a fifth of the bytes
            drawn.convert("RGB").quantize(24).save(file, optimize=True)
        print(file)


if __name__ == "__main__":
    {"table": table, "headline": headline, "plot": plot}[sys.argv[1]](*sys.argv[2:])
