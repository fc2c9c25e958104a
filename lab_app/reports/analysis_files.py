"""Writes an analysis to a file: which kinds there are, by the suffix of the file.

A module with another kind adds its writer to `WRITERS`. Not here: where the file goes and whether one is overwritten (the
command line), a kept analysis (`lab_app.services.analyses.analyses`).
"""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path

from lab_app.analysis.corpus.result import CorpusResult, LanguageResult, TokenizerResult
from lab_app.errors import BadValue
from lab_app.files import replaced
from lab_app.json_text import json_text
from lab_app.reports.analysis import report
from lab_app.reports.formats import report_writers
from lab_app.services.analyses.analyses import Analysis, counts_file, load, token_rows
from lab_app.services.analyses.changes import metric_of, metric_values
from lab_app.services.analyses.provenance import provenance
from lab_app.services.csv_lines import Cell, csv_line
from lab_app.services.lab import Lab
from lab_app.store import token_counts


@dataclass(frozen=True)
class Written:
    """What a writer is given: the result, and what writes the counts of every type as Parquet."""

    result: CorpusResult
    write_counts: Callable[[Path], None]


Writer = Callable[[Written, Path], None]
"""Writes the file, all of it or nothing. Raises OSError."""

COLUMNS = (
    "tokenizer",
    "language",
    "metric",
    "value",
    "unit",
    "denominator",
    "aggregation",
    "not_measured",
    "provenance",
)


def of_analysis(analysis: Analysis) -> Written:
    """An analysis that was just made."""
    return Written(analysis.result, lambda path: token_counts.write(path, token_rows(analysis), _made(analysis.result)))


def of_kept(lab: Lab, id: int) -> Written:
    """A kept analysis. Raises NotFound; its counts raise LoadFailed if their file is gone."""
    source = counts_file(lab, id)

    def copy(path: Path) -> None:
        try:
            counts = source.open("rb")
        except OSError as error:
            raise token_counts.unreadable(error) from error
        with counts, replaced(path) as target, target.open("wb") as copied:
            shutil.copyfileobj(counts, copied)

    return Written(load(lab, id), copy)


def writer_of(path: Path) -> Writer:
    """The writer for a file of that name. Raises BadValue with the suffixes there are.

    >>> writer_of(Path("result.json")) is write_json
    True
    """
    return writer(path.suffix, path.name)


def writer(suffix: str, name: str) -> Writer:
    """The writer for a suffix with its dot; `name` is that of the file, for the error. Raises as `writer_of` does."""
    found = WRITERS.get(suffix.lower())
    if found is None:
        raise BadValue(f'no analysis can be written as "{name}"', "name a file that ends in " + ", ".join(WRITERS))
    return found


def write_json(analysis: Written, path: Path) -> None:
    """The whole result."""
    _write(path, iter([json_text(analysis.result), "\n"]))


def write_csv(analysis: Written, path: Path) -> None:
    """One row per tokenizer, language and metric, each with its unit, denominator and aggregation.

    The first row has the provenance, as JSON in the last column.
    """
    made = chain([_made(analysis.result)], repeat(None))
    rows = ((*row, each) for row, each in zip(csv_rows(analysis), made, strict=False))
    _write(path, map(csv_line, (COLUMNS, *rows)))


def write_parquet(analysis: Written, path: Path) -> None:
    """The counts of every type of each tokenizer, and the provenance as metadata under `tokenlab`."""
    analysis.write_counts(path)


def csv_rows(analysis: Written) -> Iterator[tuple[Cell, ...]]:
    """The rows of the table of metrics. A metric that was not measured has an empty value and its reason."""
    for tokenizer in analysis.result.tokenizers:
        rows: list[tuple[str | None, TokenizerResult | LanguageResult]] = [(None, tokenizer)]
        rows += [(each.language, each) for each in tokenizer.languages]
        for language, each in rows:
            for name, value in metric_values(each).items():
                metric = metric_of(name)
                yield (
                    tokenizer.tokenizer,
                    language,
                    name,
                    value,
                    metric.unit,
                    metric.denominator,
                    metric.aggregation,
                    None if value is not None else each.not_measured.get(name),
                )


def _made(result: CorpusResult) -> str:
    return json_text(provenance(result))


def _report_writer(write: Callable[[CorpusResult], str]) -> Writer:
    return lambda analysis, path: _write(path, iter([write(analysis.result)]))


def _write(path: Path, chunks: Iterator[str]) -> None:
    with replaced(path) as target, target.open("wb") as stream:
        for chunk in chunks:
            stream.write(chunk.encode())


WRITERS: dict[str, Writer] = {
    ".json": write_json,
    ".csv": write_csv,
    ".parquet": write_parquet,
    **{f".{format}": _report_writer(write) for format, write in report_writers(report).items()},
}
