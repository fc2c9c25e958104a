"""Analyses of a corpus: several tokenizers over one text, as a job; results are kept, listed, read and run again.

Not here: the metrics (`lab_app.analysis.corpus`), threads (`counting`), comparing two analyses (`changes`), files
of a result (`lab_app.reports.analysis_files`).
"""

import math
import platform
import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from lab_app import engine, paths
from lab_app.analysis.corpus import agreement, coverage
from lab_app.analysis.corpus.counting import CountOptions, Part, corpus_counts, size_of
from lab_app.analysis.corpus.counts import CorpusCounts
from lab_app.analysis.corpus.result import (
    AnalysisSettings,
    CorpusFacts,
    CorpusResult,
    FrequencyRow,
    SkippedDocument,
    TokenRatios,
    Versions,
)
from lab_app.analysis.corpus.sampling import sample_of
from lab_app.analysis.corpus.scripts import language_scripts
from lab_app.analysis.corpus.significance import token_ratios
from lab_app.analysis.corpus.summary import NOT_PARALLEL, Languages, Subject, never_seen, summaries
from lab_app.analysis.options import CONTEXT_LENGTHS, MAX_LENGTHS, MAX_ROWS, AnalysisOptions
from lab_app.corpora.corpus import Corpus
from lab_app.engine import TALLY_MEASURES, Tokenizer
from lab_app.errors import BadValue, Conflict, LoadFailed, NotFound, Unavailable, reason
from lab_app.jobs.job import Job, Running
from lab_app.json_text import json_text
from lab_app.options import check_options as check_ranges
from lab_app.services.analyses.counting import TimeLeft, count
from lab_app.services.analyses.provenance import provenance
from lab_app.services.corpora import corpora
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.records import delete_record, list_records, load_record
from lab_app.services.restarting import call_of
from lab_app.store import analyses as store
from lab_app.store import token_counts
from lab_app.store.records import Record
from lab_app.times import now_text
from lab_app.version import lab_commit, lab_version

MAX_TOKENIZERS = 16
ONE_TOKENIZER = "there is only one tokenizer"
USUAL_REFERENCES = ("english", "en", "eng")
CLEANING = "cleaning"
"""The key of the corpus's steps of cleaning among the kept options."""


Report = Callable[[int, int, str], None]
"""Gets the bytes done, the bytes in all, and words; may raise to stop."""


class Counter(Protocol):
    """Counts a corpus: `lab_app.services.analyses.counting.count` here, or on other machines. `report` gets bytes; it may raise."""

    def __call__(
        self,
        corpus: Corpus,
        tokenizers: Sequence[Tokenizer],
        options: CountOptions,
        report: Callable[[int], None],
        /,
    ) -> Part:
        """The counts."""


@dataclass(frozen=True)
class Analysis:
    """A result with the counts it was made from."""

    result: CorpusResult
    counts: CorpusCounts
    subjects: Sequence[Subject]
    options: AnalysisOptions


@dataclass(frozen=True)
class AnalysisRow:
    """A kept analysis in a list."""

    id: int
    made_at: str
    """UTC, ISO 8601."""
    title: str
    """Of the corpus."""
    corpus: str
    corpus_sha256: str
    tokenizers: list[str]
    documents: int
    bytes: int
    sampled: float | None
    tokens: dict[str, int]
    """By tokenizer."""


@dataclass(frozen=True)
class Analyses:
    """The kept analyses, the newest first."""

    analyses: list[AnalysisRow]


@dataclass(frozen=True)
class FrequencyPage:
    """Types of one tokenizer by rank, from `offset` on. `total`: how many there are, after the search."""

    tokenizer: str
    total: int
    offset: int
    rows: list[FrequencyRow]


@dataclass(frozen=True)
class UnseenToken:
    """An entry of the vocabulary that does not occur."""

    id: int
    token: str
    text: str | None
    bytes: str
    """Lower-case hex."""


@dataclass(frozen=True)
class UnseenPage:
    """Entries of one tokenizer that do not occur, by id, from `offset` on."""

    tokenizer: str
    total: int
    offset: int
    rows: list[UnseenToken]


def start(
    lab: Lab, corpus: Corpus, tokenizers: Sequence[str], options: AnalysisOptions, counter: Counter = count
) -> Job:
    """A job that analyses a corpus and keeps the result; its result is the `AnalysisRow`.

    Raises NotFound for an unknown tokenizer, BadValue for options that cannot be.
    """
    subjects = subjects_of(lab, tokenizers)
    check_options(corpus, options)

    def work(running: Running) -> AnalysisRow:
        return keep(lab, run_analysis(corpus, subjects, options, running.report, counter))

    call = call_of(start, corpus=corpus, tokenizers=tokenizers, options=options)
    return lab.jobs.submit("analysis", corpus.title, work, unit="bytes", call=call)


def run_again(lab: Lab, id: int) -> Job:
    """A job that runs a kept analysis with the same options and cleaning on the corpus as it is now; the old one stays.

    Raises NotFound, Conflict if it was made of files, and as `start` does.
    """
    found, options = stored_options(lab, id)
    if not found.facts["corpus"]:
        raise Conflict(
            f"analysis {id} was made of files that are no corpus of the lab",
            f"run its command where the files are: {load(lab, id).command}",
        )
    of = corpora.corpus(lab, found.facts["corpus"])
    cleaning = tuple(found.facts["options"].get(CLEANING, of.cleaning))
    return start(lab, replace(of, cleaning=cleaning), found.facts["tokenizers"], options)


def run_analysis(
    corpus: Corpus,
    subjects: Sequence[Subject],
    options: AnalysisOptions,
    report: Report = lambda done, total, message: None,
    counter: Counter = count,
    cluster: str | None = None,
) -> Analysis:
    """Counts the corpus in one pass for all tokenizers and computes every metric. Keeps nothing.

    `cluster`: what `counter` is in words, for the result. What `report` raises stops it within a tenth of a second. Raises LoadFailed while reading, EncodeFailed.
    """
    check_options(corpus, options)
    begin = time.monotonic()
    counting = _count_options(corpus, options)
    size = size_of(corpus, counting.sample)
    left = TimeLeft(size)

    def read(done: int) -> None:
        report(min(done, size), size, left.words(done))

    with translate_engine_errors():
        part = counter(corpus, [each.tokenizer for each in subjects], counting, read)
    report(size, size, "computing the metrics")
    counts = corpus_counts(part)
    result = _result(corpus, subjects, options, part, counts)
    made = replace(result, elapsed_s=time.monotonic() - begin, versions=replace(result.versions, cluster=cluster))
    return Analysis(made, counts, subjects, options)


def subjects_of(lab: Lab, tokenizers: Sequence[str]) -> list[Subject]:
    """The tokenizers of an analysis, loaded. Raises NotFound, and BadValue unless there are 1 to 16 different ones."""
    entries = {lab.catalog.entry(id).id: None for id in tokenizers}
    if not 1 <= len(entries) <= MAX_TOKENIZERS:
        raise BadValue(f"{len(entries)} tokenizers were chosen", f"choose 1 to {MAX_TOKENIZERS} different ones")
    found = []
    for id in entries:
        entry, tokenizer = lab.loaded.get(id)
        found.append(Subject(entry.id, entry.name, entry.sha256, tokenizer))
    return found


def check_options(corpus: Corpus, options: AnalysisOptions) -> None:
    """Raises BadValue for a value that cannot be used with this corpus."""
    check_ranges(options)
    unknown = sorted(set(options.measures or ()) - set(TALLY_MEASURES))
    if unknown:
        raise BadValue(f'there is no measure "{unknown[0]}"', "the measures are " + ", ".join(TALLY_MEASURES))
    if not 0 < options.alpha < math.inf:
        raise BadValue(f"alpha is {options.alpha}", "give a finite number above 0; 2.5 is usual")
    if options.sample_bytes is not None and options.sample_bytes < 1:
        raise BadValue(f"a sample of {options.sample_bytes} bytes", "give 1 byte or more, or leave the sample out")
    if len(options.context_lengths) > MAX_LENGTHS:
        raise BadValue(f"{len(options.context_lengths)} context lengths", f"give at most {MAX_LENGTHS}")
    if any(length < 0 for length in options.context_lengths):
        raise BadValue(f"a context length of {min(options.context_lengths)} tokens", "give numbers from 0 on")
    wanted = options.reference_language
    if wanted is not None and wanted not in corpus.languages:
        known = ", ".join(corpus.languages) or "none, since none was named for this corpus"
        raise BadValue(f'{corpus.title} has no language "{wanted}"', f"choose one of its languages: {known}")


def keep(lab: Lab, analysis: Analysis) -> AnalysisRow:
    """Keeps an analysis with the counts of every type. Raises Unavailable if there is no room; earlier ones are as before."""
    result = analysis.result
    facts = {
        "corpus": result.corpus.id,
        "corpus_sha256": result.corpus.sha256,
        "tokenizers": [each.id for each in analysis.subjects],
        "options": asdict(analysis.options) | {CLEANING: list(result.corpus.cleaning)},
        "figures": {
            "documents": result.corpus.documents,
            "bytes": result.corpus.bytes,
            "sampled": result.corpus.sampled,
            "tokens": {each.tokenizer: each.tokens for each in result.tokenizers},
        },
    }
    try:
        id = store.save(
            lab.database,
            paths.analyses(lab.settings),
            result.corpus.title,
            facts,
            json_text(result),
            lambda path: token_counts.write(path, token_rows(analysis), json_text(provenance(result))),
        )
    except OSError as error:
        raise Unavailable(
            f"the analysis of {result.corpus.title} cannot be kept: {reason(error)}",
            "make room on the disk of the lab's data and run it again; earlier analyses are kept",
        ) from error
    return _as_row(load_record(lab, "analysis", id)[0])


def token_rows(analysis: Analysis) -> Iterator[token_counts.TokenCounts]:
    """The counts of every type, a tokenizer at a time."""
    for subject, counts in zip(analysis.subjects, analysis.counts.tokenizers, strict=True):
        tokenizer = subject.tokenizer
        ids = np.concatenate((coverage.order(counts.counts), never_seen(tokenizer, counts.counts).astype(np.int64)))
        numbers = ids.tolist()
        yield token_counts.TokenCounts(
            tokenizer=subject.id,
            ids=ids,
            counts=counts.counts[ids],
            tokens=[tokenizer.id_to_token(id) for id in numbers],
            texts=[tokenizer.token_text(id) for id in numbers],
            bytes=[tokenizer.token_bytes(id) for id in numbers],
            unknown_id=tokenizer.unknown_id,
        )


def list_analyses(lab: Lab) -> Analyses:
    """All kept analyses, the newest first."""
    return Analyses([_as_row(each) for each in list_records(lab, "analysis")])


def load(lab: Lab, id: int) -> CorpusResult:
    """The result of a kept analysis. Raises NotFound."""
    import json

    from pydantic import TypeAdapter

    record, text = load_record(lab, "analysis", id)
    known = {"id": id, "made_at": record.created_at, "name": record.title}
    return TypeAdapter(CorpusResult).validate_python(json.loads(text) | known)


def stored_options(lab: Lab, id: int) -> tuple[Record, AnalysisOptions]:
    """A kept analysis without its result, and what was asked for. Raises NotFound."""
    found = load_record(lab, "analysis", id)[0]
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in found.facts["options"].items()
    }
    values.pop(CLEANING, None)
    return found, AnalysisOptions(**values)


def delete(lab: Lab, id: int) -> None:
    """Deletes a kept analysis with its counts. Raises NotFound."""
    path = counts_file(lab, id)
    delete_record(lab, "analysis", id)
    path.unlink(missing_ok=True)


def frequencies(
    lab: Lab, id: int, tokenizer: str, *, offset: int = 0, limit: int = 100, search: str = ""
) -> FrequencyPage:
    """Types of a kept analysis by rank. `search` keeps those that contain it. Raises NotFound, BadValue, LoadFailed."""
    path, name, total = _counts_of(lab, id, tokenizer, offset, limit)
    page = token_counts.read(path, name, seen=True, offset=offset, limit=limit, search=search)
    rows = [
        FrequencyRow(
            rank=row.rank or 0,
            id=row.id,
            token=row.token,
            text=row.text,
            bytes=row.bytes.hex(),
            count=row.count,
            share=row.count / total,
            cumulative=(row.cumulative or 0) / total,
            unknown=row.unknown,
        )
        for row in page.rows
    ]
    return FrequencyPage(name, page.total, offset, rows)


def unseen(lab: Lab, id: int, tokenizer: str, *, offset: int = 0, limit: int = 100, search: str = "") -> UnseenPage:
    """Entries that do not occur in a kept analysis, by id. Raises as `frequencies` does."""
    path, name, _ = _counts_of(lab, id, tokenizer, offset, limit)
    page = token_counts.read(path, name, seen=False, offset=offset, limit=limit, search=search)
    return UnseenPage(
        name, page.total, offset, [UnseenToken(row.id, row.token, row.text, row.bytes.hex()) for row in page.rows]
    )


def counts_file(lab: Lab, id: int) -> Path:
    """The Parquet file of a kept analysis. Raises NotFound."""
    return _counts_path(lab, load_record(lab, "analysis", id)[0])


def _counts_of(lab: Lab, id: int, tokenizer: str, offset: int, limit: int) -> tuple[Path, str, int]:
    """The file of counts, and the name and the tokens of one of its tokenizers."""
    if offset < 0 or not 1 <= limit <= MAX_ROWS:
        raise BadValue(f"rows {offset} to {offset + limit}", f"ask for 1 to {MAX_ROWS} rows, from 0 on")
    record = load_record(lab, "analysis", id)[0]
    path, tokens = _counts_path(lab, record), _as_row(record).tokens
    name = next((each for each in tokens if each.lower() == tokenizer.lower()), None)
    if name is None:
        raise NotFound(f"analysis {id} has no tokenizer {tokenizer}", "its tokenizers are " + ", ".join(tokens))
    return path, name, tokens[name]


def _counts_path(lab: Lab, record: Record) -> Path:
    return paths.analyses(lab.settings) / str(record.facts[store.COUNTS])


def _as_row(found: Record) -> AnalysisRow:
    return AnalysisRow(
        id=found.id,
        made_at=found.created_at,
        title=found.title,
        corpus=found.facts["corpus"],
        corpus_sha256=found.facts["corpus_sha256"],
        tokenizers=found.facts["tokenizers"],
        **found.facts["figures"],
    )


def _count_options(corpus: Corpus, options: AnalysisOptions) -> CountOptions:
    wanted = options.sample_bytes
    measures = TALLY_MEASURES if options.measures is None else options.measures
    return CountOptions(measures, None if wanted is None else sample_of(corpus, wanted, options.seed))


def _sampled(corpus: Corpus, part: Part, counts: CorpusCounts, options: AnalysisOptions) -> float | None:
    """The share of the text that was counted. How much text unread files hold follows from those that were read."""
    if _count_options(corpus, options).sample is None:
        return None
    read = part.report
    return counts.bytes / read.bytes * min(1.0, read.read_bytes / corpus.bytes)


def _result(
    corpus: Corpus, subjects: Sequence[Subject], options: AnalysisOptions, part: Part, counts: CorpusCounts
) -> CorpusResult:
    settings = AnalysisSettings(
        measures=list(part.tally.measures),
        reference_language=_reference(corpus, options),
        context_lengths=list(options.context_lengths),
        alpha=options.alpha,
        top=options.top,
        sample_bytes=options.sample_bytes,
        seed=options.seed,
    )
    missing = {} if corpus.is_parallel else dict.fromkeys(("premium", "parity", "gini"), NOT_PARALLEL)
    agreed = None
    if len(subjects) < 2:
        missing["agreement"] = ONE_TOKENIZER
    elif counts.shared is None or counts.either is None:
        missing["agreement"] = "the measure `agreement` was left out of this analysis"
    else:
        agreed = agreement.agreement(counts.shared, counts.either)
    ratios = _token_ratios(counts, subjects, options.seed)
    if isinstance(ratios, str):
        missing["token_ratios"] = ratios
    return CorpusResult(
        id=None,
        made_at=now_text(),
        elapsed_s=0.0,
        corpus=_facts(corpus, part, counts, options),
        settings=settings,
        versions=Versions(lab_version(), lab_commit(), engine.build(), platform.python_version()),
        command=shlex.join(_command(corpus, subjects, settings)),
        tokenizers=summaries(counts, subjects, _languages(corpus, settings), settings),
        agreement=agreed,
        not_measured=missing,
        token_ratios=None if isinstance(ratios, str) else ratios,
    )


def _token_ratios(counts: CorpusCounts, subjects: Sequence[Subject], seed: int) -> TokenRatios | str:
    if counts.groups is None:
        return ONE_TOKENIZER
    return token_ratios(counts.groups, [each.id for each in subjects], seed)


def _reference(corpus: Corpus, options: AnalysisOptions) -> str | None:
    if not corpus.is_parallel:
        return None
    usual = (name for name in corpus.languages if name.lower() in USUAL_REFERENCES)
    return options.reference_language or next(usual, corpus.languages[0])


def _languages(corpus: Corpus, settings: AnalysisSettings) -> Languages:
    reference = settings.reference_language
    return Languages(
        names=corpus.languages,
        scripts=language_scripts(corpus),
        reference=None if reference is None else corpus.languages.index(reference),
    )


def _facts(corpus: Corpus, part: Part, counts: CorpusCounts, options: AnalysisOptions) -> CorpusFacts:
    read = part.report
    if not counts.bytes:
        why = "the sample holds none of its documents" if read.bytes else "it has no document with text"
        raise LoadFailed(f"{corpus.title} has nothing to count: {why}", "choose another corpus, or a larger sample")
    return CorpusFacts(
        id=corpus.id,
        title=corpus.title,
        documents=counts.documents,
        bytes=counts.bytes,
        characters=int(counts.text_sums["characters"].sum()),
        sha256=corpus.sha256,
        languages=list(corpus.languages),
        is_parallel=corpus.is_parallel,
        cleaning={step: read.cleaning.get(step, 0) for step in corpus.cleaning},
        sampled=_sampled(corpus, part, counts, options),
        empty=read.empty,
        replaced_characters=read.replaced_characters,
        skipped=read.skipped,
        skipped_documents=[SkippedDocument(Path(each.place).name, each.reason) for each in read.places],
    )


def _of_files(corpus: Corpus) -> list[str]:
    """The words that make this corpus of its files again."""
    given: list[str] = []
    if corpus.text_column:  # an empty name keeps a column of languages from being recognised
        given = ["--text-column", corpus.text_column, "--language-column", corpus.language_column or ""]
    return [*(Path(file.path).name for file in corpus.files), *given, *(["--parallel"] if corpus.is_parallel else [])]


def _command(corpus: Corpus, subjects: Sequence[Subject], settings: AnalysisSettings) -> list[str]:
    """Names no folder of this machine: a corpus by its id, or its files by their names."""
    words = ["tokenlab", "analyze"]
    words += [corpus.id] if corpus.id else _of_files(corpus)
    words += [word for step in corpus.cleaning for word in ("--clean", step)]
    for each in subjects:
        words += ["-t", each.id]
    if len(settings.measures) < len(TALLY_MEASURES):
        words += [word for measure in settings.measures for word in ("--measure", measure)]
    if settings.reference_language is not None:
        words += ["--reference", settings.reference_language]
    if settings.context_lengths != list(CONTEXT_LENGTHS):
        words += [word for length in settings.context_lengths for word in ("--context-length", str(length))]
    words += ["--alpha", f"{settings.alpha:g}", "--top", str(settings.top)]
    return words + (
        ["--all"]
        if settings.sample_bytes is None
        else ["--sample", str(settings.sample_bytes), "--seed", str(settings.seed)]
    )
