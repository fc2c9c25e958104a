"""Files of a benchmark: its report, JSON, and CSV with all columns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lab_app.benchmarks.growth_result import StageTimes
from lab_app.benchmarks.result import BenchmarkResult, BenchmarkRow
from lab_app.json_text import json_text
from lab_app.number_words import DASH, integer, number_of, short, time_words
from lab_app.reports.formats import check_format, report_writers
from lab_app.reports.report import Notes, Report, Table
from lab_app.services.csv_lines import csv_line


@dataclass(frozen=True)
class Column:
    """One column of the table. `value` is None where nothing was measured."""

    title: str
    unit: str
    value: Callable[[BenchmarkRow], str | int | float | None]


def _of(name: str, part: str) -> Callable[[BenchmarkRow], float | None]:
    def value(row: BenchmarkRow) -> float | None:
        found = getattr(row, name)
        return None if found is None else getattr(found, part)

    return value


def _plain(name: str) -> Callable[[BenchmarkRow], str | int | float | None]:
    return lambda row: getattr(row, name)


def _cache(part: str) -> Callable[[BenchmarkRow], int | None]:
    return lambda row: getattr(row.stages.cache, part) if row.stages and row.stages.cache else None


STAGES = ("normalizer", "pretokenizer", "model", "postprocessor", "output")
COLUMNS = (
    Column("rank", "", _plain("rank")),
    Column("tokenizer", "", _plain("tokenizer")),
    Column("engine", "", _plain("engine")),
    Column("version", "", _plain("engine_version")),
    Column("state", "", _plain("state")),
    Column("ratio", "times the baseline", _of("ratio", "median")),
    Column("ratio, low", "95 % interval", _of("ratio", "low")),
    Column("ratio, high", "95 % interval", _of("ratio", "high")),
    Column("speed", "MB/s of input, median", _of("throughput_mb_per_s", "median")),
    Column("speed, low", "MB/s, 95 % interval", _of("throughput_mb_per_s", "low")),
    Column("speed, high", "MB/s, 95 % interval", _of("throughput_mb_per_s", "high")),
    Column("spread", "interquartile range / median", _of("throughput_mb_per_s", "spread")),
    Column("samples", "", _of("throughput_mb_per_s", "samples")),
    Column("documents/s", "median", _plain("documents_per_s")),
    Column("p50", "ns per document", _of("latency_ns", "p50")),
    Column("p95", "ns per document", _of("latency_ns", "p95")),
    Column("p99", "ns per document", _of("latency_ns", "p99")),
    Column("maximum", "ns per document", _of("latency_ns", "maximum")),
    Column("import", "ns", _plain("import_ns")),
    Column("load", "ns", _plain("load_ns")),
    Column("first call", "ns", _plain("first_call_ns")),
    Column("loaded", "bytes", _plain("loaded_bytes")),
    Column("resident", "bytes", _plain("resident_bytes")),
    Column("peak", "bytes", _plain("peak_bytes")),
    Column("tokens", "", _plain("tokens")),
    Column("bytes per token", "", _plain("bytes_per_token")),
    Column("cores used", "", _plain("cores_used")),
    *(Column(stage, "ns of the whole text", _of("stages", f"{stage}_ns")) for stage in STAGES),
    Column("cache hits", "", _cache("hits")),
    Column("cache misses", "", _cache("misses")),
    Column("reference", "", _of("exactness", "reference")),
    Column("differing", "texts", _of("exactness", "differing")),
    Column("message", "", _plain("message")),
    Column("install", "", _plain("install")),
)
SHOWN = {
    "rank": "rank",
    "tokenizer": "tokenizer",
    "engine": "engine",
    "version": "version",
    "ratio": "ratio",
    "speed": "MB/s",
    "bytes per token": "bytes/token",
    "p99": "p99",
    "resident": "memory",
    "state": "state",
}
"""Columns of the tables for people, with their heads there; the other files have all."""
WORDS = {"tokenizer", "engine", "version", "state"}
"""Of them, those without numbers."""
DIGITS = 3


def write(result: BenchmarkResult, format: str) -> str:
    """The text of a file: `json`, `csv`, `html`, `md` or `tex`. Raises BadValue for another format."""
    check_format(format, FORMATS, "a benchmark")
    return FORMATS[format](result)


def as_csv(result: BenchmarkResult) -> str:
    """All columns, a row per subject. What was not measured is empty."""
    head = [f"{each.title} ({each.unit})" if each.unit else each.title for each in COLUMNS]
    rows = ([column.value(row) for column in COLUMNS] for row in result.rows)
    return csv_line(head) + "".join(map(csv_line, rows))


def report(result: BenchmarkResult) -> Report:
    """What was measured, the tables, what to know about them, the machine, the command."""
    ranked = ranked_rows(result)
    head, rows = table(result)
    stage_head, stage_rows = stage_table(stages_of(result))
    return Report(
        result.title,
        "benchmark" if result.id is None else f"benchmark-{result.id}",
        [
            Table(
                head,
                rows,
                right=[at for at, title in enumerate(SHOWN) if title not in WORDS],
                marked=[at for at, row in enumerate(ranked) if row.state != "ok"],
            ),
            Notes(remarks(result)),
            Table(stage_head, stage_rows, "Where the time goes", right=range(2, len(stage_head) - 1)),
        ],
        environment_words(result),
        result.command,
        sentence(result),
    )


def stages_of(result: BenchmarkResult) -> list[StageTimes]:
    """The stages of the subjects that report them."""
    return [row.stages for row in result.rows if row.stages is not None]


def stage_table(stages: Sequence[StageTimes]) -> tuple[list[str], list[list[str]]]:
    """The share of each stage for people: head and rows, with a dash for a stage that has no time of its own."""
    rows = []
    for row in stages:
        times = [getattr(row, f"{stage}_ns") for stage in STAGES]
        shares = [DASH if time is None or not row.total_ns else f"{100 * time / row.total_ns:.0f} %" for time in times]
        per_byte = DASH if row.total_ns is None else f"{row.total_ns / max(1, row.bytes):.3g}"
        lookups = 0 if row.cache is None else row.cache.hits + row.cache.misses
        cache = f"{100 * row.cache.hits / lookups:.1f} %" if row.cache is not None and lookups else DASH
        rows.append([row.tokenizer, row.path, *shares, per_byte, cache, row.problem or ""])
    return ["tokenizer", "path", *STAGES, "ns per byte", "cache hits", ""], rows


def table(result: BenchmarkResult) -> tuple[list[str], list[list[str]]]:
    """The table for people: head and rows, the fastest first; a dash where nothing was measured."""
    columns = {each.title: each for each in COLUMNS}
    return list(SHOWN.values()), [
        [_shown(columns[title], row, result) for title in SHOWN] for row in ranked_rows(result)
    ]


def ranked_rows(result: BenchmarkResult) -> list[BenchmarkRow]:
    """The rows by rank; those without one last, in the order of the run."""
    return sorted(result.rows, key=lambda row: (row.rank is None, row.rank or 0))


def sentence(result: BenchmarkResult) -> str:
    """What was measured, on what."""
    settings, text = result.settings, result.text
    threads = number_of(settings.threads, "thread")
    words = {"warm": "warm", "cold": "freshly loaded", "first_pass": "first pass over new text"}[settings.temperature]
    return (
        f"{text.title}: {number_of(text.bytes, 'byte')}, {number_of(text.documents, 'document')}; {words}, {settings.shape}, "
        f"{settings.output}, {threads}; {result.rounds_done} of {number_of(settings.rounds, 'round')}; {result.created_at}."
    )


def remarks(result: BenchmarkResult) -> list[str]:
    """What to know when reading the figures: the state of the run, the noise, notes, and what happened to each subject."""
    found = [] if result.state == "done" else [f"The run is {result.state}: figures are of the rounds it finished."]
    if result.baseline is not None:
        found.append(
            f"Ratios are to {result.baseline}, paired by round: above 1 is faster, an interval that holds 1 is no difference."
        )
    found.append("MB/s of input: 10^6 bytes. p99: 99 of 100 documents take less. Memory: after one pass.")
    if result.noise is not None and result.noise.warning:
        found.append(result.noise.warning)
    found += result.environment.warnings
    found += result.notes
    for row in result.rows:
        if row.message:
            install = f" Install it: {row.install}" if row.install else ""
            found.append(f"{row.key}: {row.message}{install}")
    return found


def environment_words(result: BenchmarkResult) -> list[tuple[str, str]]:
    """The environment card as names and values."""
    card = result.environment
    return [
        ("CPU", card.cpu or DASH),
        ("Cores", f"{card.cores or DASH}, {card.logical_cpus} logical, {card.usable_cpus} usable"),
        ("Bound to CPU", ", ".join(map(str, card.pinned_cpus or [])) or DASH),
        ("Governor", card.governor or DASH),
        ("Load", DASH if card.load_average is None else f"{card.load_average:.2f}"),
        ("Memory", DASH if card.memory_bytes is None else f"{card.memory_bytes / 1e9:.1f} GB"),
        ("System", card.system),
        ("Python", card.python),
        ("Lab", f"{card.lab}, commit {card.commit or DASH}"),
        ("Engine", card.build),
        ("Clock", f"{card.clock}, {card.clock_resolution_ns} ns"),
        ("Noise", DASH if result.noise is None else f"{100 * result.noise.spread:.1f} %"),
    ]


def _shown(column: Column, row: BenchmarkRow, result: BenchmarkResult) -> str:
    value = column.value(row)
    if column.title == "ratio" and row.key == result.baseline:
        return "1 (baseline)"
    if column.title == "ratio" and row.ratio is not None:
        return f"{short(row.ratio.median, DIGITS)} ({short(row.ratio.low, DIGITS)} to {short(row.ratio.high, DIGITS)})"
    if value is None:
        return DASH
    if isinstance(value, str):
        return value
    if column.unit.startswith("ns"):
        return time_words(value)
    if column.unit == "bytes":
        return f"{short(value / 1e6, DIGITS)} MB"
    return short(value, DIGITS) if isinstance(value, float) else integer(value)


FORMATS: dict[str, Callable[[BenchmarkResult], str]] = {
    "json": lambda result: json_text(result) + "\n",
    "csv": as_csv,
    **report_writers(report),
}
