"""Corpora as people use them: list, describe, add, remove. Not here: reading them (`lab_app.corpora`)."""

import contextlib
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import Any

from lab_app import paths
from lab_app.corpora import builtin
from lab_app.corpora.batch import Batch
from lab_app.corpora.cleaning.steps import STEPS, Step
from lab_app.corpora.cleaning.steps import check as check_cleaning
from lab_app.corpora.corpus import NO_COLUMN, Corpus
from lab_app.corpora.describe import describe as describe_files
from lab_app.corpora.finding import expanded
from lab_app.corpora.options import CorpusOptions
from lab_app.corpora.partitions import partitions
from lab_app.corpora.readers.columns import columns
from lab_app.corpora.readers.rows import TooManyLanguages
from lab_app.corpora.reading import batches
from lab_app.corpora.report import ReadReport
from lab_app.corpora.scan import scan
from lab_app.errors import BadValue, Conflict, LabError, NotFound, Unavailable, reason
from lab_app.files import temporary_folder
from lab_app.jobs.job import Job, Running
from lab_app.library.importing import check_id, id_from
from lab_app.number_words import number_of
from lab_app.private import private_folder
from lab_app.services.lab import Lab
from lab_app.services.restarting import call_of
from lab_app.store import corpora as store

SAMPLE_DOCUMENTS = 5
SAMPLE_CHARACTERS = 500
SAMPLE_BYTES = 65_536
MOST_FILES_SHOWN = 100
HUB_DATASETS = "hub:datasets/"


@dataclass(frozen=True)
class CorpusEntry:
    """One corpus of the list. `bytes` is the size of its files on disk, `text_bytes` that of their text in UTF-8 and
    `documents` their number, both before cleaning."""

    id: str
    title: str
    format: str
    files: int
    bytes: int
    text_bytes: int | None
    documents: int | None
    sha256: str
    languages: list[str]
    scripts: list[str]
    """The script of each language; empty if unknown."""
    is_parallel: bool
    text_column: str | None
    language_column: str | None
    cleaning: list[str]
    builtin: bool


@dataclass(frozen=True)
class CorpusList:
    """Built-in corpora first, then those that were added, oldest first; and the steps of cleaning there are."""

    corpora: list[CorpusEntry]
    cleaning_steps: list[Step]


@dataclass(frozen=True)
class CorpusFileEntry:
    """One file of a corpus, as it was when it was added."""

    path: str
    size_bytes: int
    sha256: str
    format: str
    compression: str | None
    encoding: str
    language: str | None


@dataclass(frozen=True)
class SampleDocument:
    """The beginning of a document."""

    text: str
    language: str | None
    """None where the corpus names no languages."""


@dataclass(frozen=True)
class CorpusDetail(CorpusEntry):
    """A corpus with its files, the beginnings of its first documents, and what was noticed when it was added."""

    first_files: list[CorpusFileEntry]
    """At most 100."""
    columns: list[str]
    """Of the first file that is a table."""
    sample: list[SampleDocument]
    problem: str | None
    """Why the corpus cannot be read now."""
    report: ReadReport | None
    """The report of reading it once; None for a built-in corpus."""


def list_corpora(lab: Lab) -> CorpusList:
    """All corpora."""
    with lab.database.read() as connection:
        added = [row.corpus for row in store.rows(connection)]
    return CorpusList([CorpusEntry(**_fields(corpus)) for corpus in [*builtin.builtins(), *added]], list(STEPS))


def describe(lab: Lab, id: str) -> CorpusDetail:
    """One corpus, with a sample of its documents. Raises NotFound."""
    found = corpus(lab, id)
    with lab.database.read() as connection:
        row = store.row(connection, id)
    problem, sample, names = None, [], []
    try:
        sample = _sample(replace(found, cleaning=()))
        names = next((each for each in map(columns, found.files[:MOST_FILES_SHOWN]) if each), [])
    except LabError as error:
        problem = str(error)
    return CorpusDetail(
        **_fields(found),
        first_files=[_file(found, number) for number in range(min(len(found.files), MOST_FILES_SHOWN))],
        columns=names,
        sample=sample,
        problem=problem,
        report=row.report if row else None,
    )


def corpus(lab: Lab, id: str) -> Corpus:
    """The corpus of that id, built in or added. Raises NotFound."""
    found = builtin.builtin(id.lower())
    if found is None:
        with lab.database.read() as connection:
            row = store.row(connection, id)
        found = row.corpus if row else None
    if found is None:
        raise NotFound(
            f'there is no corpus "{id}"',
            "the Corpus screen lists them",
            on_terminal="`tokenlab corpus list` lists them",
        )
    return found


def named_corpus(
    lab: Lab, names: Sequence[str], options: CorpusOptions | None = None, running: Running | None = None
) -> Corpus:
    """The corpus of an id, or of files, folders and patterns, which is not kept. Steps of `options.cleaning` replace those of
    a kept corpus; its other options stay.

    A name that is both is that of the file, unless the corpus is built in. Raises NotFound, and as `add` does.
    """
    options = options or CorpusOptions(language_column=NO_COLUMN)
    kept = _kept(lab, names[0]) if len(names) == 1 else None
    if kept is not None:
        if options.text_column or options.language_column or options.parallel or options.format:
            raise BadValue(
                f'"{kept.id}" is a corpus whose columns and languages are known', "give these options with files alone"
            )
        check_cleaning(options.cleaning, is_parallel=kept.is_parallel)
        return replace(kept, cleaning=options.cleaning or kept.cleaning)
    if name := next((name for name in names if name.startswith(HUB_DATASETS)), None):
        raise BadValue(
            f"{name} is a dataset of the Hub, and not here yet",
            "add it as a corpus first",
            on_terminal=f"add it as a corpus first: tokenlab corpus add {name}",
        )
    described = _described(lab, names, options, running)
    if not options.parallel and described.language_column is None:
        return described
    try:
        return scan(described)[0]
    except TooManyLanguages:
        if options.language_column:
            raise
        return replace(described, language_column=None)


def _kept(lab: Lab, name: str) -> Corpus | None:
    """The corpus of that id, None if the name is a path. Raises NotFound if it is neither, BadValue as `expanded` does."""
    if expanded(name).exists():
        return builtin.builtin(name)
    try:
        return corpus(lab, name)
    except NotFound:
        if any(sign in name for sign in "/\\*?[."):
            return None
        raise


def start_adding(lab: Lab, given: Sequence[str], options: CorpusOptions) -> Job:
    """A job that adds a corpus; its result is the CorpusDetail. Raises BadValue for an id that cannot be one."""
    if options.id is not None:
        _refuse_taken(lab, check_id(options.id))
    title = options.title or Path(given[0]).name if given else "corpus"
    call = call_of(start_adding, given=given, options=options)
    return lab.jobs.submit("corpus", title, lambda running: add(lab, given, options, running), unit="bytes", call=call)


def start_cleaning(lab: Lab, of: str, options: CorpusOptions) -> Job:
    """A job that reads the files of a corpus with other steps of cleaning, as another corpus; its result is the CorpusDetail.

    Raises NotFound, BadValue for a step that cannot be used and for options that would read the files in another way.
    """
    found = corpus(lab, of)
    if options.text_column or options.language_column or options.parallel or options.format:
        raise BadValue(
            f'"{found.id}" is a corpus whose columns and languages are known', "give these options with files alone"
        )
    if options.id is not None:
        _refuse_taken(lab, check_id(options.id))
    check_cleaning(options.cleaning, is_parallel=found.is_parallel)
    title = options.title or found.title
    cleaned = replace(found, title=title, cleaning=options.cleaning, builtin=False)
    call = call_of(start_cleaning, of=of, options=options)

    def work(running: Running) -> CorpusDetail:
        return _keep(lab, cleaned, options, running)

    return lab.jobs.submit("corpus", title, work, unit="bytes", call=call)


def add(lab: Lab, given: Sequence[str], options: CorpusOptions, running: Running | None = None) -> CorpusDetail:
    """Adds files, folders and patterns as a corpus; the files stay where they are. Every file is read twice: for its
    digest, and to count its documents. A name such as `hub:datasets/OWNER/NAME` is a dataset of the Hub, which is downloaded.

    Without an id, one is made from the names; if a corpus of that id has the same content and options, it is returned.
    Raises Conflict for a taken id, BadRequest, BadValue or LoadFailed for files that cannot be read.
    """
    if options.id is not None:
        _refuse_taken(lab, check_id(options.id))
    files, name = _here(lab, given, running)
    options = replace(options, title=options.title or name)
    return _keep(lab, _described(lab, files, options, running), options, running)


def _keep(lab: Lab, described: Corpus, options: CorpusOptions, running: Running | None) -> CorpusDetail:
    """Reads a corpus once and keeps it, under a free id unless one is wanted, and under a title of its own."""
    id, is_known = (options.id, False) if options.id else _free_id(lab, described)
    if is_known:
        return describe(lab, id)
    try:
        scanned, report = scan(replace(described, id=id), partial(_report, running, "counting documents"))
    except TooManyLanguages:
        if options.language_column or described.language_column is None:
            raise
        return _keep(lab, replace(described, language_column=None), options, running)
    with lab.database.write() as connection:
        others = [*builtin.builtins(), *(row.corpus for row in store.rows(connection))]
        scanned = replace(scanned, title=_free_title(scanned, others))
        is_new = store.insert(connection, scanned, report)
    if not is_new:
        raise _taken(id)
    return describe(lab, id)


@contextlib.contextmanager
def place_for_files(lab: Lab) -> Iterator[Path]:
    """A folder for the files of a corpus that are being sent, on the disk where they are to stay: moving them copies nothing.
    It lasts as long as the block. Raises Unavailable."""
    target = paths.corpora(lab.settings)
    with contextlib.ExitStack() as stack:
        try:
            private_folder(target)
            folder = stack.enter_context(temporary_folder(target))
        except OSError as error:
            raise _not_kept(target, error) from error
        yield folder


def add_sent(lab: Lab, folder: Path, options: CorpusOptions) -> CorpusDetail:
    """Adds files that were sent to the lab: `folder` holds them alone, and moves below the data folder."""
    target = paths.corpora(lab.settings)
    try:
        private_folder(target)
        kept = _new_folder(target, folder.name)
    except OSError as error:
        raise _not_kept(target, error) from error
    try:
        _move_into(kept, folder)
        added = add(lab, [str(kept)], options)
    except BaseException:
        shutil.rmtree(kept, ignore_errors=True)
        raise
    if not any(Path(file.path).is_relative_to(kept) for file in added.first_files):
        shutil.rmtree(kept, ignore_errors=True)  # the same files were here already
    return added


def remove(lab: Lab, id: str) -> None:
    """Forgets a corpus; files that were sent to the lab are deleted unless another corpus has them, others stay. Raises
    NotFound, Conflict if built in."""
    found = corpus(lab, id)
    if found.builtin:
        raise Conflict(
            f"the corpus {found.id} comes with the lab and cannot be removed", "remove only corpora that you added"
        )
    with lab.database.write() as connection:
        store.delete(connection, id)
        others = [row.corpus for row in store.rows(connection)]
        sent = paths.corpora(lab.settings)
        used = {folder for other in others for folder in _folders_below(sent, other)}
        for folder in _folders_below(sent, found) - used:
            shutil.rmtree(folder, ignore_errors=True)


def _folders_below(sent: Path, one: Corpus) -> set[Path]:
    """The folders of `sent` that hold files of a corpus, at any depth."""
    target = sent.resolve()
    folders = {Path(file.path).parent for file in one.files}
    inside = [path.relative_to(target).parts for path in map(Path.resolve, folders) if path.is_relative_to(target)]
    return {target / parts[0] for parts in inside if parts}


def notes(report: ReadReport) -> list[str]:
    """What was noticed while a corpus was read, in sentences.

    >>> notes(ReadReport(documents=5, replaced_characters=2, empty=1))
    ['1 document is empty and left out', '2 characters are not valid in the encoding of their file; U+FFFD replaces them']
    """
    lines = []
    if report.empty:
        lines.append(f"{number_of(report.empty, 'document is', 'documents are')} empty and left out")
    if report.replaced_characters:
        many = number_of(report.replaced_characters, "character is", "characters are")
        lines.append(f"{many} not valid in the encoding of their file; U+FFFD replaces them")
    if report.skipped:
        lines.append(f"{number_of(report.skipped, 'document is', 'documents are')} skipped:")
        lines += [f"{place.place}: {place.reason}" for place in report.places]
    return lines


def _described(lab: Lab, given: Sequence[str], options: CorpusOptions, running: Running | None) -> Corpus:
    def known(path: str, size_bytes: int, modified_ns: int) -> str | None:
        with lab.database.read() as connection:
            return store.digest(connection, path, size_bytes, modified_ns)

    described = describe_files(
        given,
        title=options.title,
        format=options.format,
        text_column=options.text_column,
        language_column=options.language_column,
        parallel=options.parallel,
        cleaning=options.cleaning,
        progress=partial(_report, running, "reading sha256"),
        known=known,
    )
    with lab.database.write() as connection:
        store.keep_digests(connection, described.files)
    return described


def _here(lab: Lab, given: Sequence[str], running: Running | None) -> tuple[list[str], str]:
    """The paths, with the files of datasets of the Hub in place of their names; and the name of a dataset that is alone."""
    if not any(path.startswith(HUB_DATASETS) for path in given):
        return list(given), ""
    from lab_app.library.hub import fetch_dataset
    from lab_app.library.hub_reference import HubReference
    from lab_app.library.progress import Progress

    def report(progress: Progress) -> None:
        if running:
            running.report(progress.done_bytes, progress.total_bytes, f"from {progress.source}")

    files: list[str] = []
    for path in given:
        if path.startswith(HUB_DATASETS):
            reference = HubReference.parse(path)
            files += map(str, fetch_dataset(reference, lab.settings, report))
        else:
            files.append(path)
    return files, reference.name if len(given) == 1 else ""


def _report(running: Running | None, step: str, done: int, total: int) -> None:
    if running:
        running.report(done, total or None, step)


def _free_id(lab: Lab, described: Corpus) -> tuple[str, bool]:
    """An id made of the title, and whether it is that of a corpus with the same files, options and cleaning."""
    base = id_from(described.title.partition(" and ")[0].partition(".")[0])
    for number in count(1):
        id = base if number == 1 else id_from(f"{base[:56]}-{number}")
        try:
            there = corpus(lab, id)
        except NotFound:
            return id, False
        if _identity(there) == _identity(described):
            return there.id, True
    raise AssertionError


def _identity(one: Corpus) -> tuple[object, ...]:
    files = tuple((file.path, file.sha256, file.modified_ns, file.format) for file in one.files)
    return files, one.text_column, one.language_column, one.is_parallel, one.cleaning, one.builtin


def _free_title(one: Corpus, others: Sequence[Corpus]) -> str:
    """The title of a corpus if no other has it; otherwise with how it differs from another reading of the same files, or
    with a number."""
    taken = {other.title: other for other in others}
    if one.title not in taken:
        return one.title
    how = _differences(one, taken[one.title])
    titles = (f"{one.title} ({mark})" for mark in chain([how] if how else [], count(2)))
    return next(title for title in titles if title not in taken)


def _differences(one: Corpus, other: Corpus) -> str:
    """How a corpus reads its files, as far as another one reads the same files differently."""
    if one.sha256 != other.sha256:
        return ""
    changed = []
    if one.text_column != other.text_column:
        changed.append(f"text = {one.text_column}")
    if one.language_column != other.language_column:
        changed.append(f"language = {one.language_column or 'no column'}")
    if one.is_parallel != other.is_parallel:
        changed.append("parallel" if one.is_parallel else "not parallel")
    if one.cleaning != other.cleaning:
        changed.append(f"cleaned: {', '.join(one.cleaning)}" if one.cleaning else "not cleaned")
    return "; ".join(changed)


def _refuse_taken(lab: Lab, id: str) -> None:
    try:
        corpus(lab, id)
    except NotFound:
        return
    raise _taken(id)


def _taken(id: str) -> Conflict:
    return Conflict(f'there is a corpus "{id}" already', "choose another id, or remove that one first")


def _new_folder(target: Path, name: str) -> Path:
    """A folder in `target` that this call made, so that no other upload has it. Raises OSError."""
    for number in count(1):
        with contextlib.suppress(FileExistsError):
            made = target / f"{name}-{number}"
            made.mkdir(mode=0o700)
            return made
    raise AssertionError


def _move_into(kept: Path, folder: Path) -> None:
    """Moves all that is in `folder`. Raises Unavailable."""
    try:
        for each in list(folder.iterdir()):
            shutil.move(each, kept / each.name)
    except OSError as error:
        raise _not_kept(kept.parent, error) from error


def _not_kept(target: Path, error: OSError) -> Unavailable:
    return Unavailable(f"the files cannot be kept in {target}: {reason(error)}", "make room there")


def _sample(found: Corpus) -> list[SampleDocument]:
    sample: list[SampleDocument] = []
    for part in partitions(found):
        for batch in batches(found, part, SAMPLE_BYTES):
            texts = batch.strings()[: SAMPLE_DOCUMENTS - len(sample)]
            sample += [
                SampleDocument(text[:SAMPLE_CHARACTERS], language_in(found, batch, number))
                for number, text in enumerate(texts)
            ]
            if len(sample) == SAMPLE_DOCUMENTS:
                return sample
    return sample


def language_in(corpus: Corpus, batch: Batch, number: int) -> str | None:
    """The language of a document of a batch; None where the corpus names none."""
    return None if batch.languages is None else corpus.languages[batch.languages[number]]


def _fields(one: Corpus) -> dict[str, Any]:
    return {
        "id": one.id,
        "title": one.title,
        "format": one.format,
        "files": len(one.files),
        "bytes": one.bytes,
        "text_bytes": one.text_bytes,
        "documents": one.documents,
        "sha256": one.sha256,
        "languages": list(one.languages),
        "scripts": list(one.scripts),
        "is_parallel": one.is_parallel,
        "text_column": one.text_column,
        "language_column": one.language_column,
        "cleaning": list(one.cleaning),
        "builtin": one.builtin,
    }


def _file(one: Corpus, number: int) -> CorpusFileEntry:
    file = one.files[number]
    language = None if file.language is None else one.languages[file.language]
    return CorpusFileEntry(
        file.path, file.size_bytes, file.sha256, file.format, file.compression, file.encoding, language
    )
