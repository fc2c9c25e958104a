"""The report of an analysis: its metrics with units, charts, how to read them, and how it was made.

Titles and units are those of the registry of metrics. Not here: JSON, CSV and Parquet (`analysis_files`).
"""

import re
from dataclasses import dataclass
from math import inf

from lab_app.analysis.corpus.language import has_spaced_words
from lab_app.analysis.corpus.registry import BY_NAME, METRICS, Metric
from lab_app.analysis.corpus.result import CorpusFacts, CorpusResult
from lab_app.charts.chart import letter_of, unknown_note
from lab_app.charts.look import PRINT, SYMBOLS
from lab_app.number_words import integer, number_of, thin_number_of
from lab_app.reports.charts import charts
from lab_app.reports.report import Charts, Explanation, Explanations, Facts, Key, Report, Table
from lab_app.services.analyses.changes import metric_of, metric_values
from lab_app.version import LAB

Number = float | int | None
SHAPES = dict(zip(SYMBOLS, "●■◆▲⬢▼★✚", strict=True))
OF_LANGUAGES = ("premium", "bytes_per_token", "fertility", "continued_word_rate", "unknown_character_rate")
"""Metrics of languages that have a table."""
OF_WORDS = ("fertility", "continued_word_rate")
"""Those that mean nothing where words have no spaces between them."""
ABOUT = (
    "Tokens are those of the text: special tokens that a tokenizer adds are not counted."
    " Ratios are ratios of sums over the whole corpus."
)


@dataclass(frozen=True)
class Row:
    """One number of each tokenizer."""

    metric: Metric
    title: str
    unit: str
    values: list[Number]
    """In the order of the tokenizers; None where nothing was measured."""


def report(result: CorpusResult) -> Report:
    """The report of an analysis."""
    keys, found = _keys(result), rows(result)
    counted = f"{number_of(result.corpus.documents, 'document')}, {number_of(result.corpus.bytes, 'byte')}"
    explained = {row.metric.title: row.metric for row in found}
    usual = f"{result.corpus.title}: {', '.join(key.name for key in keys)}"
    return Report(
        usual if _name(result) == result.corpus.title else result.name,
        result.corpus.id or "corpus",
        [
            Table(
                ["Metric", "Unit", *keys],
                [(row.title, row.unit, *row.values) for row in found],
                caption=f"Tokenizers on {_name(result)}: {counted}.",
                right=range(2, 2 + len(keys)),
            ),
            *_ratio_table(result, keys),
            Charts(lambda: charts(result)),
            *_language_tables(result, keys),
            Explanations(
                [
                    Explanation(title, each.how_to_read, "; ".join(filter(None, (each.formula, each.source))))
                    for title, each in sorted(explained.items())
                ],
                "How to read the metrics",
            ),
            Facts(list(reasons(result).items()), "Not measured"),
        ],
        made_words(result),
        result.command,
        ABOUT,
        keys,
    )


def _name(result: CorpusResult) -> str:
    """The name that the result was given, or that of its corpus."""
    return result.name or result.corpus.title


def _ratio_table(result: CorpusResult, keys: list[Key]) -> list[Table]:
    """How sure the differences in tokens are: a row per tokenizer, a column per tokenizer that it is compared with."""
    found = result.token_ratios
    if found is None:
        return []
    words = {(each.tokenizer, each.against): each.words for each in found.ratios}
    ids = [each.tokenizer for each in result.tokenizers]
    rows = [(str(key), *(words.get((id, other), "") for other in ids[:-1])) for id, key in zip(ids, keys, strict=True)]
    title = "Tokens per token of another tokenizer"
    about = (
        f"With {100 * found.level:.0f} % intervals: percentiles of {integer(found.resamples)} samples of the documents, drawn with"
        f" replacement from {integer(found.groups)} groups, seed {found.seed}. Not told apart: the interval holds 1."
    )
    return [
        Table(
            ["Tokens of", *(f"per token of {key}" for key in keys[:-1])],
            rows[1:],
            title,
            f"{title}, {_name(result)}.",
            about,
        )
    ]


def _language_tables(result: CorpusResult, keys: list[Key]) -> list[Table]:
    """A row per language and a column per tokenizer, of each metric that was measured; the highest mean first, what was not
    measured last."""
    found = []
    for name in OF_LANGUAGES:
        values: dict[str, list[Number]] = {}
        for n, one in enumerate(result.tokenizers):
            for language in one.languages:
                is_measured = name not in OF_WORDS or has_spaced_words(language)
                row = values.setdefault(language.language, [None] * len(keys))
                row[n] = getattr(language, name) if is_measured else None
        order = sorted(values, key=lambda language: -_mean(values[language]))
        if not any(value is not None for row in values.values() for value in row):
            continue
        title = f"{_title(name)} by language"
        unit = f" ({_unit(name)})" if _unit(name) else ""
        rows = [(language, *values[language]) for language in order]
        caption = f"{title}{unit}, {_name(result)}."
        right = range(1, 1 + len(keys))
        found.append(Table(["Language", *keys], rows, f"{title}{unit}", caption=caption, right=right, is_folded=True))
    return found


def _mean(values: list[Number]) -> float:
    """The mean of the measured values; minus infinity without any."""
    measured = [value for value in values if value is not None]
    return sum(measured) / len(measured) if measured else -inf


def _keys(result: CorpusResult) -> list[Key]:
    return [
        Key(
            one.name,
            letter_of(n),
            SHAPES[SYMBOLS[(n + n // 8) % 8]],
            PRINT["abcdefgh"[n % 8]],
            unknown_note(one).removeprefix("<br>"),
        )
        for n, one in enumerate(result.tokenizers)
    ]


def rows(result: CorpusResult) -> list[Row]:
    """Every number that a tokenizer has, in the order of the registry."""
    values = [metric_values(one) for one in result.tokenizers]
    names = dict.fromkeys(name for each in values for name, value in each.items() if value is not None)
    order = [metric.name for metric in METRICS]
    return [
        Row(metric_of(name), _title(name), _unit(name), [each.get(name) for each in values])
        for name in sorted(names, key=lambda name: order.index(metric_of(name).name))
    ]


def reasons(result: CorpusResult) -> dict[str, str]:
    """Why metrics were not measured, by title."""
    found = dict(result.not_measured)
    for one in result.tokenizers:
        for name, reason in one.not_measured.items():
            found.setdefault(name, f"{one.name}: {reason}")
    return {BY_NAME[name].title if name in BY_NAME else name: reason for name, reason in found.items()}


def _unit(name: str) -> str:
    """The unit of a metric; empty for a number without one."""
    unit = metric_of(name).unit
    return "" if unit == "none" else unit


def _title(name: str) -> str:
    metric = metric_of(name)
    part = re.sub("[._]", " ", name.removeprefix(metric.name).lstrip("."))
    return f"{metric.title}: {part}" if part else metric.title


def made_words(result: CorpusResult) -> list[tuple[str, str]]:
    """Labels and values: tokenizers, corpus, cleaning, settings, versions. The command is not among them."""
    corpus, settings, versions = result.corpus, result.settings, result.versions
    commit = f", commit {versions.commit}" if versions.commit else ""
    by = f", counted by {versions.cluster}" if versions.cluster else ""
    sampled = "all of it" if corpus.sampled is None else f"a sample of {100 * corpus.sampled:.3g} % of the bytes"
    changed = ", ".join(f"{name}: {thin_number_of(count, 'document')}" for name, count in corpus.cleaning.items())
    amounts = ((corpus.documents, "document"), (corpus.bytes, "byte"), (corpus.characters, "character"))
    size = ", ".join(thin_number_of(*amount) for amount in amounts)
    return [
        ("Made by", f"{LAB} {versions.lab}{commit}, engine {versions.engine}, Python {versions.python}{by}"),
        ("Date", result.made_at),
        *(
            (f"Tokenizer {letter_of(n)}", f"{one.tokenizer}, {_digest(one.sha256)}")
            for n, one in enumerate(result.tokenizers)
        ),
        ("Corpus", f"{corpus.title}, sha256 {corpus.sha256}"),
        ("Counted", f"{size}; {sampled}"),
        ("Reading", _reading(corpus)),
        ("Languages", ", ".join(corpus.languages) or "none named"),
        ("Cleaning, changed or dropped", changed or "no steps"),
        ("Measures", ", ".join(settings.measures)),
        (
            "Settings",
            f"reference language {settings.reference_language or 'none'}; context lengths"
            f" {', '.join(map(str, settings.context_lengths)) or 'none'}; order of the Rényi entropy {settings.alpha:g};"
            f" {settings.top} most frequent tokens kept; sample"
            f" {'all' if settings.sample_bytes is None else thin_number_of(settings.sample_bytes, 'byte')}, seed {settings.seed}",
        ),
    ]


def _reading(corpus: CorpusFacts) -> str:
    """What reading could not keep as it was."""
    skipped = "; ".join(f"{each.place}: {each.reason}" for each in corpus.skipped_documents)
    return (
        f"{thin_number_of(corpus.replaced_characters, 'invalid character')} replaced,"
        f" {thin_number_of(corpus.empty, 'empty line')}, {thin_number_of(corpus.skipped, 'document')} skipped{f' ({skipped})' if skipped else ''}"
    )


def _digest(sha256: str | None) -> str:
    return f"sha256 {sha256}" if sha256 else "no digest: a plug-in"
