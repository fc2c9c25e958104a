"""`python -m tests.performance.engine.page FILE.json ...`: prints docs/reference/performance.md from results.

Takes the files of `make bench` and `make bench-train`, in any order. `lines` is the part of `make bench` alone.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from tests.performance.engine.rows import cases

HEAD = """\
# Performance

How fast the engine encodes and trains, beside other libraries, and the floors that it must reach. `make bench` and
`make bench-train` measure it; this page is made from what they write:

    make bench BENCH='--rounds 9'
    make bench-train
    .venv/bin/python -m tests.performance.engine.page target/bench/*.json > docs/reference/performance.md

`make bench BENCH=--quick` takes about 5 minutes. `BENCH='--rows warm bert'` measures these rows alone. `make
bench-instructions` counts instructions per byte and per pretoken, which other programs on the machine do not change; `cargo
bench -p token-engine` times the parts of the engine.

* All libraries of a case take turns in one process, on one thread that is bound to one CPU. Their ids are compared with those
  of the reference library first: one whose ids differ is inexact and has no ratio.
* Speeds are 10^6 bytes of text per second: the median, with the quartiles. A ratio is that of the same rounds: the median,
  with its 95 % interval. `x` counts how many times as fast the engine is.
* A floor is met or missed by the median. A floor over several libraries counts the fastest one that was measured.
"""
DASH = "\u2013"
STATES = {"inexact": "inexact", "missing": "not installed", "unsupported": "cannot read it", "failed": "failed"}


def page(results: Iterable[dict[str, Any]]) -> str:
    """The whole page."""
    engine, training = [], []
    for result in results:
        (training if "trainings" in result else engine).append(result)
    parts = [HEAD]
    if not engine:
        parts.append("\n".join(["## Floors of encoding", "", *floors()]) + "\n")
    parts += ["\n".join(["## Encoding", "", *lines(result)]) + "\n" for result in engine]
    parts += ["\n".join(["## Training", "", *training_lines(result)]) + "\n" for result in training]
    return "\n".join(parts)


def floors() -> Iterator[str]:
    """The floors of the table, each once."""
    yield "| row | tokenizers | floor |"
    yield "| --- | --- | --- |"
    groups: dict[tuple[str, str], list[str]] = {}
    for case in cases():
        if case.floor is not None:
            names = groups.setdefault((case.title, case.floor.words(case.unit)), [])
            names += [case.tokenizer] if case.tokenizer not in names else []
    for (title, floor), names in groups.items():
        yield f"| {title} | {', '.join(names)} | {floor} |"


def lines(result: dict[str, Any]) -> Iterator[str]:
    """The results of `make bench` as Markdown."""
    yield from machine(result)
    rows = result["rows"]
    yield ""
    yield from _summary(rows)
    for title, group in groupby(rows, key=lambda row: row["title"]):
        yield ""
        yield f"### {title}"
        yield ""
        yield from _table(list(group))
    notes = result.get("notes") or {}
    if notes:
        yield ""
        yield "Stand-ins: " + "; ".join(f"`{name}` is {note}" for name, note in notes.items()) + "."


def machine(result: dict[str, Any]) -> Iterator[str]:
    """Machine, versions, texts and spread."""
    card = result["environment"]
    load = card["load_average"]
    yield (
        f"{card['cpu'] or 'unknown CPU'}, {card['usable_cpus']} CPUs, {card['system']}, {card['python']}, "
        f"load {DASH if load is None else load} at the start; equal work varied by {100 * result['noise_spread']:.1f} %."
    )
    yield f"Engine {card['lab']} {card['commit'] or ''}: {card['build']}."
    installed = [f"{name} {version}" for name, version in result["versions"].items() if version and name != "tokenlab"]
    missing = [name for name, version in result["versions"].items() if not version]
    yield f"Libraries: {', '.join(installed) or 'none'}." + (
        f" Not installed: {', '.join(missing)}." if missing else ""
    )
    texts = ", ".join(f"{name} {text['bytes'] / 1e6:.2f} MB" for name, text in result.get("texts", {}).items())
    settings = ", ".join(f"{name} {value}" for name, value in result["settings"].items())
    yield f"Texts: {texts or 'made for each row'}. Settings: {settings}. The run took {result['elapsed_s'] / 60:.0f} minutes."


def _summary(rows: list[dict[str, Any]]) -> Iterator[str]:
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        if row["outcome"] != "none":
            groups.setdefault((row["title"], row["floor"]), []).append(row)
    yield "| row | floor | met | missed | not measured | worst |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for (title, floor), some in groups.items():
        counts = [sum(row["outcome"] == outcome for row in some) for outcome in ("met", "missed", "unknown")]
        missed = [row for row in some if row["outcome"] == "missed"]
        worst = max(missed, key=lambda row: row["short_by"] or 0.0, default=None)
        words = DASH if worst is None else f"{worst['tokenizer']}, {worst['text']}: {_outcome(worst)}"
        yield f"| {title} | {floor} | {counts[0]} | {counts[1]} | {counts[2]} | {words} |"


def _table(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield "| tokenizer | text | measure | tokenlab | floor | result | others |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        ours = next((each for each in row["libraries"] if each["name"] == "tokenlab"), None)
        others = [each for each in row["libraries"] if each["name"] != "tokenlab"]
        others.sort(key=lambda each: each["ratio"][0] if each["ratio"] else float("inf"))
        cells = [
            row["tokenizer"],
            row["text"].replace("_", " "),
            row["measure"].replace("_", " "),
            row["message"] or DASH if ours is None else _figures(ours, row["unit"]),
            row["floor"] or DASH,
            _outcome(row),
            "; ".join(f"{each['name']} {_figures(each, row['unit'])}" for each in others) or DASH,
        ]
        yield "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _outcome(row: dict[str, Any]) -> str:
    """The result of a floor in words."""
    if row["outcome"] == "none":
        return DASH
    if row["outcome"] == "unknown":
        return "not measured"
    against = f" of {row['against']}" if row["against"] else ""
    unit = " x" if row["against"] else f" {row['unit']}"
    reached = f"{row['reached']:.2f}{unit}{against}"
    if row["outcome"] == "met":
        return f"met: {reached}"
    short = f"{100 * row['short_by']:.0f}"
    return f"**missed by {'less than 1' if short == '0' else short} %**: {reached}"


def _figures(library: dict[str, Any], unit: str) -> str:
    if library["median"] is None or library["state"] != "measured":
        words = STATES.get(library["state"], library["state"])
        return f"{words} ({library['message']})" if library["state"] == "failed" and library["message"] else words
    low, high = (_number(library[name]) for name in ("low_quartile", "high_quartile"))
    ratio = library["ratio"]
    beside = f", {ratio[0]:.2f} x ({ratio[1]:.2f}{DASH}{ratio[2]:.2f})" if ratio else ""
    return f"{_number(library['median'])} ({low}{DASH}{high}) {unit}{beside}"


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def training_lines(result: dict[str, Any]) -> Iterator[str]:
    """The results of `make bench-train` as Markdown."""
    yield from machine(result)
    for training in result["trainings"]:
        yield ""
        yield f"### {training['title']}"
        yield ""
        yield "| library | threads | seconds | counting, s | engine as fast | floor | result | MB over the text | tokens |"
        yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
        for row in training["rows"]:
            yield "| " + " | ".join(_training_cells(row)) + " |"
    if result.get("linear"):
        yield ""
        yield "### Time against size"
        yield ""
        yield "| MB of text | seconds | seconds per GB | peak MB in all |"
        yield "| --- | --- | --- | --- |"
        for row in result["linear"]:
            per_gigabyte = row["seconds"] / row["bytes"] * 1e9
            yield f"| {row['bytes'] / 1e6:.1f} | {row['seconds']:.2f} | {per_gigabyte:.1f} | {row['peak'] / 1e6:.0f} |"


def _training_cells(row: dict[str, Any]) -> Iterator[str]:
    yield row["library"]
    yield str(row["threads"])
    if row["seconds"] is None:
        yield from ("not installed", *[DASH] * 6)
        return
    yield f"{row['seconds']:.2f} ({row['lowest']:.2f}{DASH}{row['highest']:.2f})"
    yield DASH if row.get("counting") is None else f"{row['counting']:.2f}"
    yield DASH if row["ratio"] is None else f"{row['ratio']:.2f} x"
    yield row["floor"] or DASH
    yield {"met": "met", "missed": "**missed**"}.get(row["outcome"], DASH) + (
        f" by {100 * row['short_by']:.0f} %" if row["short_by"] else ""
    )
    yield f"{row['memory'] / 1e6:.0f}"
    yield str(row["tokens"])


def main() -> None:
    """Prints the page."""
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    print(page([json.loads(Path(path).read_text(encoding="utf-8")) for path in sys.argv[1:]]), end="")


if __name__ == "__main__":
    main()
