#!/usr/bin/env python3
"""Plots time against size, from what crosslane-peers-scan and crosslane-peers-compact write with --json.

    benchmarks/peers/plot.py scan.json compact.json docs/images/time-against-size.svg

Needs Matplotlib (Debian: apt install python3-matplotlib).
"""

import json
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "crosslane"  # the same file from the same numbers
from matplotlib import pyplot  # noqa: E402: after the choice of a back end


def median_times(file, who):
    """Elements and medians in microseconds, in the order of size."""
    with open(file, encoding="utf-8") as stream:
        runs = json.load(stream)["runs"]
    points = []
    for run in sorted(runs, key=lambda run: run["count"]):
        points += [(run["count"], row["median_us"]) for row in run["rows"] if row["who"] == who]
    return zip(*points)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    scan, compact, output = sys.argv[1:]
    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    for file, name, color in ((scan, "scan", "C0"), (compact, "compaction, half kept", "C1")):
        axes.plot(*median_times(file, "shuffle"), color=color, marker="o", markersize=3, label=f"{name}, shuffle")
        axes.plot(*median_times(file, "CUB"), color=color, linestyle="--", label=f"{name}, CUB")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("elements (u32)")
    axes.set_ylabel("µs")
    axes.grid(True, which="major", linewidth=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(output, metadata={"Date": None})


main()
