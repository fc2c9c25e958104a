"""Files of a training: its report, its steps (CSV), everything (JSON).

Not here: the tokenizer's files (`lab_app.services.trainings.files`), the charts as the page draws them.
"""

import json
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lab_app.benchmarks.environment import environment
from lab_app.charts.training.compression import TITLE
from lab_app.charts.training.subject import unknown_note
from lab_app.json_text import json_text
from lab_app.number_words import DASH, integer, number_of, percent, size_words
from lab_app.reports.formats import check_format, report_writers
from lab_app.reports.report import Charts, Facts, Report, Table
from lab_app.reports.training_charts import charts
from lab_app.services.csv_lines import csv_line
from lab_app.services.lab import Lab
from lab_app.services.trainings.results import Training, TrainingCurve, TrainingSource
from lab_app.services.trainings.steps import curve, every_step
from lab_app.services.trainings.trainings import load
from lab_app.spelling import spelled
from lab_app.training.option_text import ON_COMMAND_LINE, write_option
from lab_app.training.options import resolved
from lab_app.training.steps import PIECES, Row

STATES = {
    "running": "running",
    "paused": "paused",
    "done": "finished",
    "kept": "stopped and kept",
    "failed": "failed",
    "cancelled": "cancelled",
    "interrupted": "interrupted",
}
"""The states of a training in words, as `lab_ui/js/app/training_states.js` has them."""
ALGORITHMS = {
    "bpe": "BPE",
    "wordpiece": "WordPiece",
    "unigram": "Unigram",
    "wordlevel": "whole words",
    "character": "characters",
}
"""The algorithms in words."""
TEXT_COLUMNS = {"left", "right", "token", "stage", "tokenizer", ""}
"""Columns of tables that hold no numbers."""
SHOWN_STEPS = 25
"""Steps at the beginning and at the end of a report; the CSV file has all."""
SHOWN_POINTS = 12
COLUMNS = {
    "bpe": ("rank", "left", "right", "count", "token", "id", "held_out_tokens"),
    "wordpiece": ("rank", "left", "right", "count", "score", "token", "id", "held_out_tokens"),
    "unigram": ("iteration", "stage", "tokens", "loss", "held_out_tokens"),
    "wordlevel": ("rank", "token", "id", "count"),
    "character": ("rank", "token", "id", "count"),
}
"""Columns of the table of steps by algorithm."""


@dataclass(frozen=True)
class _Parts:
    """What all files are made of."""

    training: Training
    steps: Sequence[Row]
    curve: TrainingCurve


@dataclass(frozen=True)
class TrainingReport:
    """A training with its steps and its curve: the JSON file."""

    training: Training
    steps: Sequence[Row]
    curve: TrainingCurve
    repeat: str


def write(lab: Lab, id: int, format: str, tokenizers: Sequence[str] = ()) -> str:
    """The text of a file: `html`, `md`, `tex`, `csv` or `json`. `tokenizers` of the catalog are measured on the held-out text, too.

    Raises NotFound, and BadValue for another format.
    """
    check_format(format, FORMATS, "a training")
    training = load(lab, id)
    return FORMATS[format](_Parts(_without_folders(training), every_step(lab, id), curve(lab, id, tokenizers)))


def repeat_words(training: Training) -> str:
    """The command that repeats the training, or the request for texts that the command line cannot name."""
    body, held = training.body, training.body.held_out
    sources = [*body.sources, *([held.source] if held and held.source else [])]
    if any(source.kind == "text" for source in sources) or len({source.column for source in sources}) > 1:
        return f"POST /api/v1/trainings\n{json_text(body)}"
    words = ["tokenlab", "train", training.options.algorithm]
    words += ["--preset", body.preset] if body.preset is not None else []
    words += _option_words(training)
    for source in body.sources:
        words += ["--input", _input(source)]
    if body.sources[0].column is not None:
        words += ["--column", body.sources[0].column]
    if held is not None and held.source is not None:
        words += ["--held-out", _input(held.source)]
    elif held is not None and held.share:
        words += ["--held-out", f"{held.share:g}"]
    if body.sample_bytes is not None:
        words += ["--sample-bytes", str(body.sample_bytes)]
    if body.invalid == "skip":
        words += ["--invalid", "skip"]
    return shlex.join([*words, "--output", "trained"])


def _option_words(training: Training) -> list[str]:
    """The options that were given and differ from the preset, as the command line has them."""
    body, algorithm = training.body, training.options.algorithm
    usual = json.loads(resolved(body.preset, {"algorithm": algorithm}).as_json())
    words: list[str] = []
    for name, value in body.options.items():
        if name == "algorithm" or (value == usual[name] and name != "vocab_size"):
            continue
        if name == "special_tokens" and value[: len(usual[name])] == usual[name]:
            for token in value[len(usual[name]) :]:
                words += ["--special-token", token]
        elif name in ON_COMMAND_LINE:
            words += [ON_COMMAND_LINE[name], str(value)]
        else:
            words += ["--option", write_option(name, value)]
    return words


def _input(source: TrainingSource) -> str:
    if source.kind == "practice":
        return f"practice:{source.name}"
    return source.name or "" if source.kind == "corpus" else source.path or ""


def _without_folders(training: Training) -> Training:
    """Files by their names: a report is sent to others, and folders say who made it."""

    def named(source: TrainingSource) -> TrainingSource:
        return source if source.path is None else replace(source, path=Path(source.path).name)

    body, held = training.body, training.body.held_out
    if held is not None and held.source is not None:
        held = replace(held, source=named(held.source))
    return replace(training, body=replace(body, sources=[named(each) for each in body.sources], held_out=held))


def _facts(training: Training) -> list[tuple[str, str]]:
    options, held = training.options, training.held_out
    asked = options.vocab_size
    size = (
        DASH
        if training.vocab_size is None
        else f"{integer(training.vocab_size)} of {number_of(asked, 'token')} asked for"
    )
    memory = DASH if training.memory_bytes is None else size_words(training.memory_bytes)
    found = [
        ("Algorithm", ALGORITHMS[options.algorithm]),
        ("Preset", training.body.preset or DASH),
        ("Options changed", json.dumps(training.body.options, ensure_ascii=False) if training.body.options else "none"),
        ("Special tokens", " ".join(options.special_tokens) or "none"),
        ("Text", f"{training.corpus.title}, {number_of(training.corpus.bytes, 'byte')}"),
        ("Vocabulary", size),
        ("State", STATES[training.state]),
        ("Ended", training.ended or (training.error.message if training.error else DASH)),
        ("Time", f"{training.elapsed_s:.2f} s"),
        ("Peak memory of the trainer", memory),
        ("Started", training.made_at.replace("T", " ").replace("+00:00", " UTC")),
    ]
    if held is None:
        return [*found, ("Held-out text", "none")]
    ratio = DASH if held.bytes_per_token is None else f"{held.bytes_per_token:.3f} bytes per token"
    unknown = DASH if held.unknown_rate is None else f"{percent(held.unknown_rate, 1)} of its tokens"
    if options.unknown_token is None:
        unknown = f"{DASH} (no unknown token)"
    return [
        *found,
        ("Held-out text", f"{held.title}, {number_of(held.bytes, 'byte')}: {number_of(held.tokens, 'token')}, {ratio}"),
        ("Unknown in the held-out text", unknown),
    ]


def _environment() -> list[tuple[str, str]]:
    card = environment()
    return [
        ("Lab", f"{card.lab}, commit {card.commit or DASH}"),
        ("Engine", card.build),
        ("Python", card.python),
        ("System", card.system),
        ("CPU", card.cpu or DASH),
    ]


def _step_table(parts: _Parts) -> tuple[list[str], list[list[str]]]:
    """The first and the last steps, with a row of dots between."""
    names = COLUMNS[parts.training.options.algorithm]
    rows = [[_cell_words(row, name) for name in names] for row in parts.steps]
    if len(rows) > 2 * SHOWN_STEPS:
        rows = [*rows[:SHOWN_STEPS], ["…"] * len(names), *rows[-SHOWN_STEPS:]]
    return [name.replace("_", " ") for name in names], rows


def _cell_words(row: Row, name: str) -> str:
    value = row.get(name)
    if value is None:
        return DASH
    if name in PIECES:
        return spelled(value["text"], value["bytes"])
    if name == "id":
        return str(value)
    if name == "score":
        return f"{value:.3g}"
    if name == "held_out_tokens":
        return integer(value).replace("-", "−")
    return f"{value:.6g}" if isinstance(value, float) else integer(value) if isinstance(value, int) else str(value)


def _curve_table(parts: _Parts) -> tuple[list[str], list[list[str]]]:
    found = parts.curve
    points, count = found.points, len(found.points)
    wanted = sorted({round(at * (count - 1) / (SHOWN_POINTS - 1)) for at in range(SHOWN_POINTS)}) if count else []
    rows = [["this training", integer(points[at].vocab_size), f"{points[at].bytes_per_token:.3f}", ""] for at in wanted]
    if rows and parts.training.held_out is not None:
        rows[-1][-1] = unknown_note(parts.training.held_out.unknown_rate)
    for each in found.references:
        ratio = DASH if each.bytes_per_token is None else f"{each.bytes_per_token:.3f}"
        rows.append([each.title, integer(each.vocab_size), ratio, unknown_note(each.unknown_rate)])
    return ["tokenizer", "vocabulary size", "bytes per token", ""], rows


def report(parts: _Parts) -> Report:
    """Options and figures, the curve, the steps, and the command that repeats the training."""
    training, steps = parts.training, len(parts.steps)
    title = "Steps" if steps <= 2 * SHOWN_STEPS else f"Steps: the first and the last {SHOWN_STEPS} of {integer(steps)}"
    return Report(
        training.name,
        f"training-{training.id}",
        [
            Facts(_facts(training)),
            Charts(lambda: charts(training, parts.curve)),
            _table(TITLE, *_curve_table(parts)),
            _table(title, *_step_table(parts)),
        ],
        _environment(),
        repeat_words(training),
    )


def _table(title: str, head: list[str], rows: list[list[str]]) -> Table:
    right = [at for at, name in enumerate(head) if name not in TEXT_COLUMNS]
    return Table(head, rows, title, right=right)


def as_csv(parts: _Parts) -> str:
    """All steps. A token has two columns: its text, empty if it is not whole characters, and its bytes in hex."""
    names = COLUMNS[parts.training.options.algorithm]
    head = [part for name in names for part in ((name, f"{name}_bytes") if name in PIECES else (name,))]

    def cells(row: Row) -> list[Any]:
        found: list[Any] = []
        for name in names:
            value = row.get(name)
            found += [value["text"], value["bytes"]] if name in PIECES and value is not None else [value]
        return found

    return csv_line(head) + "".join(csv_line(cells(row)) for row in parts.steps)


def as_json(parts: _Parts) -> str:
    """Everything."""
    return json_text(TrainingReport(parts.training, parts.steps, parts.curve, repeat_words(parts.training))) + "\n"


FORMATS: dict[str, Callable[[_Parts], str]] = {
    "csv": as_csv,
    "json": as_json,
    **report_writers(report),
}
