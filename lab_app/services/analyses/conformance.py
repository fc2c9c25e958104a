"""Compares the ids of the engine with those of reference libraries on the same tokenizer, and shrinks what differs.

Texts are generated from a seed, and read from a corpus if one is named. Not here: the libraries (`lab_app.peers`),
the generator and the shrinker (`lab_app.analysis`).
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from lab_app.analysis.generated_texts import long_runs, texts
from lab_app.analysis.options import ConformanceOptions
from lab_app.analysis.shrinking import shrunk
from lab_app.corpora.corpus import Corpus
from lab_app.engine import Specials, Tokenizer
from lab_app.errors import BadValue, LabError
from lab_app.files import temporary_folder
from lab_app.jobs.job import Job, Running
from lab_app.json_text import json_text
from lab_app.library.entry import Entry
from lab_app.library.tokenizer_files import tokenizer_files
from lab_app.options import check_options
from lab_app.peers import registry
from lab_app.peers.peer import Calls, TokenizerFiles
from lab_app.services.corpora.corpora import named_corpus
from lab_app.services.corpora.texts import corpus_texts
from lab_app.services.formats import files_of
from lab_app.services.lab import Lab
from lab_app.services.restarting import call_of
from lab_app.store import records
from lab_app.version import lab_version

MAX_CHARACTERS = 100_000
"""Code points of one document that are compared; the rest of a longer one is counted as not compared."""
BATCH = 200
MAX_SHRUNK = 10
"""Differing texts per library that are shrunk; the others are counted."""
GENERATED_SOURCE = "generated texts"
BatchIds = Callable[[list[str]], list[list[int]]]
"""The ids of each text."""


@dataclass(frozen=True)
class ReferenceState:
    """One reference library for one tokenizer."""

    name: str
    version: str | None
    """None if it is not installed."""
    install: str | None
    """The command that installs it; None if it is installed."""
    misfit: str | None
    """Why it cannot read the tokenizer; None if it can."""


@dataclass(frozen=True)
class Difference:
    """A smallest text on which the engine and the library give different ids."""

    text: str
    source: str
    """The corpus, or "generated texts"."""
    number: int
    """Of the document or text that was shrunk, counted from 1 in the order of comparison."""
    ours: list[int]
    theirs: list[int] | None
    """None if the library fails on the text."""
    problem: str | None
    """Its error; None if it gives ids."""


@dataclass
class ComparedTexts:
    """The texts of one source. `documents` is `equal` + `different`."""

    source: str
    documents: int = 0
    bytes: int = 0
    """UTF-8 bytes that were compared."""
    tokens: int = 0
    """Tokens of the engine."""
    equal: int = 0
    different: int = 0


@dataclass
class Against:
    """The comparison with one reference library."""

    reference: str
    version: str
    read_from: str
    """What the library built the tokenizer from."""
    compared: list[ComparedTexts] = field(default_factory=list)
    smallest: list[Difference] = field(default_factory=list)
    """At most ten, each text once."""
    not_shrunk: int = 0
    """Further texts that differ."""


@dataclass(frozen=True)
class NotCompared:
    """A part that was left out."""

    what: str
    reason: str


@dataclass(frozen=True)
class Conformance:
    """Whether the engine gives the ids of the reference libraries."""

    tokenizer: str
    sha256: str | None
    lab_version: str
    specials: Specials
    seed: int
    corpus: str | None
    corpus_sha256: str | None
    against: list[Against]
    not_compared: list[NotCompared]
    same: bool | None
    """Whether every compared text has the same ids everywhere; None if no library could be compared."""


@dataclass(frozen=True)
class KeptConformance:
    """The last comparison of a tokenizer."""

    created_at: str
    """UTC, ISO 8601."""
    result: Conformance


@dataclass(frozen=True)
class ConformanceReferences:
    """The reference libraries for one tokenizer."""

    tokenizer: str
    references: list[ReferenceState]
    last: KeptConformance | None
    """None if its files, as they are now, were never compared with this version of the lab."""


@dataclass(frozen=True)
class TextSource:
    """Texts to compare, in batches. `read` starts from the first one each time."""

    name: str
    bytes: int
    """UTF-8 bytes of all of them, about: the share of the progress that they have."""
    read: Callable[[], Iterable[list[str]]]


def references(lab: Lab, id: str) -> ConformanceReferences:
    """Which reference libraries are installed and read this tokenizer, and what the last comparison has found.

    >>> from lab_app.settings import Settings
    >>> [each.name for each in references(Lab(Settings()), "gpt2").references if each.misfit is None]
    ['tiktoken', 'tokenizers']
    """
    found = _states(files_of(lab, id))
    entry = lab.catalog.entry(id)
    return ConformanceReferences(entry.id, found, _last(lab, entry))


def start_conformance(lab: Lab, id: str, options: ConformanceOptions) -> Job:
    """Starts the comparison as a job whose result, a Conformance, is kept. Raises what `check` raises."""
    check(lab, id, options)

    def work(running: Running) -> Conformance:
        found = conformance(lab, id, options, running)
        facts = {"sha256": found.sha256, "lab_version": found.lab_version, "same": found.same}
        records.replace(lab.database, "conformance", found.tokenizer, facts, json_text(found))
        return found

    call = call_of(start_conformance, id=id, options=options)
    return lab.jobs.submit("conformance", f"Conformance of {id}", work, unit="bytes", call=call)


def _last(lab: Lab, entry: Entry) -> KeptConformance | None:
    from pydantic import TypeAdapter

    found = records.newest(lab.database, "conformance", entry.id)
    now = {"sha256": entry.sha256, "lab_version": lab_version()}
    if found is None or any(found[0].facts.get(name) != value for name, value in now.items()):
        return None
    return KeptConformance(found[0].created_at, TypeAdapter(Conformance).validate_python(json.loads(found[1])))


def check(lab: Lab, id: str, options: ConformanceOptions) -> None:
    """Raises NotFound for an unknown tokenizer, BadValue for options that cannot be, Unavailable for a missing library."""
    check_options(options)
    files = files_of(lab, id)
    if options.texts == 0 and options.corpus is None:
        raise BadValue("there is nothing to compare", "name a corpus, or generate some texts")
    if options.specials == "reject":
        raise BadValue('special text cannot be compared as "reject"', 'give specials "text" or "parse"')
    for name in options.against or ():
        registry.check_reference(name, files)
        if not _reads(name, options.specials):
            raise BadValue(f'{name} cannot read special text as "{options.specials}"', 'give specials "text"')


def conformance(lab: Lab, id: str, options: ConformanceOptions, running: Running) -> Conformance:
    """Compares the ids of every text with those of every library. Raises what `check` raises, and Cancelled.

    >>> from lab_app.settings import Settings
    >>> running = Running(Job("1", "conformance", "", "bytes"))
    >>> found = conformance(Lab(Settings()), "gpt2", ConformanceOptions(("tiktoken",), texts=20), running)
    >>> found.same, found.against[0].compared[0].documents > 20
    (True, True)
    """
    check(lab, id, options)
    entry, tokenizer = lab.loaded.get(id)
    left_out = list(ALWAYS_LEFT_OUT)
    compared, loaded = [], []
    with temporary_folder() as folder:
        files = tokenizer_files(entry, tokenizer, folder)
        for state in _states(files):
            if options.against is not None and state.name not in options.against:
                continue
            reason = _why_not(state, options.specials)
            if reason is not None:
                left_out.append(NotCompared(state.name, reason))
                continue
            try:
                reference = registry.load_reference(state.name, files)
            except LabError as error:
                if options.against is not None:
                    raise
                left_out.append(NotCompared(state.name, error.message))
                continue
            compared.append(Against(state.name, state.version or "", reference.read_from))
            loaded.append(_ids_by(reference, options.specials))
    sources = [generated_source(tokenizer, options, running)]
    corpus = None if options.corpus is None else named_corpus(lab, [options.corpus])
    if corpus is not None:
        documents, reason = corpus_source(corpus, options)
        sources.append(documents)
        left_out += [] if reason is None else [NotCompared(documents.name, reason)]
    left_out += compare_all(tokenizer, list(zip(compared, loaded, strict=True)), sources, options.specials, running)
    different = any(texts.different for each in compared for texts in each.compared)
    return Conformance(
        entry.id,
        entry.sha256,
        lab_version(),
        options.specials,
        options.seed,
        None if corpus is None else corpus.id,
        None if corpus is None else corpus.sha256,
        compared,
        left_out,
        None if not compared else not different,
    )


ALWAYS_LEFT_OUT = (
    NotCompared("added special tokens", "a template such as [CLS] … [SEP] is the same for every text"),
    NotCompared("spans and decoding", "only IDs are compared; not every library reports spans"),
)


def _states(files: TokenizerFiles) -> list[ReferenceState]:
    """The reference libraries for one tokenizer, the best one first."""
    found = (registry.reference_state(name, files) for name in registry.REFERENCES)
    return [ReferenceState(each.name, each.version, each.install, each.misfit) for each in found]


def _ids_by(reference: Calls, specials: Specials) -> BatchIds:
    found = reference.batch if specials == "text" else reference.parsed
    assert found is not None
    return found


def _reads(name: str, specials: Specials) -> bool:
    return specials == "text" or name in registry.PARSING


def generated_source(tokenizer: Tokenizer, options: ConformanceOptions, running: Running) -> TextSource:
    """Generated texts with tokens of this tokenizer in them, and one long run of each kind of character.

    Raises Cancelled.
    """
    if options.texts == 0:
        return TextSource(GENERATED_SOURCE, 0, lambda: ())
    spelled = _spelled_tokens(tokenizer)

    def read() -> Iterator[list[str]]:
        found = chain(texts(options.texts, options.seed, spelled), long_runs(options.seed))
        while batch := list(islice(found, BATCH)):
            running.check()
            yield batch

    few = list(texts(min(options.texts, BATCH), options.seed, spelled))
    runs = sum(len(run.encode()) for run in long_runs(options.seed))
    return TextSource(GENERATED_SOURCE, runs + _bytes(few) * options.texts // len(few), read)


def _bytes(batch: Sequence[str]) -> int:
    return sum(len(text.encode()) for text in batch)


def corpus_source(corpus: Corpus, options: ConformanceOptions) -> tuple[TextSource, str | None]:
    """The documents of the corpus, and why not all of them are compared; None if all are."""
    found = corpus_texts(corpus, options.sample_bytes, options.seed)
    source = TextSource(corpus.title, found.bytes, found.read)
    if found.most_bytes is None:
        return source, None
    return source, f"a sample of {found.bytes} of {corpus.bytes} bytes is compared, drawn with seed {options.seed}"


def _spelled_tokens(tokenizer: Tokenizer) -> list[str]:
    """Whole-character tokens, and special tokens as often as a hundredth of them, since text seldom spells one."""
    special = sorted(tokenizer.special_tokens)
    special_ids = set(tokenizer.special_tokens.values())
    found = []
    for token, id in tokenizer.vocab().items():
        if id not in special_ids and token.isascii():
            found.append(token.decode())
    return found + special * max(1, len(found) // 100 // max(1, len(special)))


def _why_not(state: ReferenceState, specials: Specials) -> str | None:
    if state.misfit is not None:
        return state.misfit
    if state.version is None:
        return f"not installed: {state.install}"
    if not _reads(state.name, specials):
        return f'it cannot read text that looks like a special token as "{specials}"'
    return None


def compare_all(
    tokenizer: Tokenizer,
    against: Sequence[tuple[Against, BatchIds]],
    sources: Sequence[TextSource],
    specials: Specials,
    running: Running,
) -> list[NotCompared]:
    """Compares every text of every source, and fills in each `Against`. Returns what was left out."""
    total, before, long = sum(source.bytes for source in sources), 0, 0
    for source in sources:
        done = 0
        counts = [ComparedTexts(source.name) for _ in against]
        for (found, _), count in zip(against, counts, strict=True):
            found.compared.append(count)
        for batch in source.read():
            long += sum(len(text) > MAX_CHARACTERS for text in batch)
            short = [text[:MAX_CHARACTERS] for text in batch]
            ids, starts = tokenizer.encode_ids_batch(short, specials=specials)
            ours = [ids[starts[at] : starts[at + 1]].tolist() for at in range(len(short))]
            for (found, reference), count in zip(against, counts, strict=True):
                running.check()
                _compare_batch(tokenizer, found, reference, count, short, ours, specials, running)
            done += _bytes(batch)
            running.report(before + min(done, source.bytes), total, source.name)
        before += source.bytes
    running.report(total, total)
    if not long:
        return []
    reason = f"longer than {MAX_CHARACTERS} characters: the rest of each was left out"
    return [NotCompared(f"{long} document{'' if long == 1 else 's'}", reason)]


def _compare_batch(
    tokenizer: Tokenizer,
    found: Against,
    reference: BatchIds,
    count: ComparedTexts,
    batch: list[str],
    ours: list[list[int]],
    specials: Specials,
    running: Running,
) -> None:
    def fails(text: str) -> bool:
        running.check()
        ours: list[int] = tokenizer.encode_ids(text, specials=specials).tolist()
        return _ids_of(reference, text)[0] != ours

    for text, own, their in zip(batch, ours, _batch_of(reference, batch), strict=True):
        count.documents += 1
        count.bytes += len(text.encode())
        count.tokens += len(own)
        if own == their:
            count.equal += 1
            continue
        count.different += 1
        if len(found.smallest) == MAX_SHRUNK:
            found.not_shrunk += 1
            continue
        smallest = shrunk(text, fails)
        if any(each.text == smallest for each in found.smallest):
            continue
        theirs, problem = _ids_of(reference, smallest)
        mine = tokenizer.encode_ids(smallest, specials=specials).tolist()
        found.smallest.append(Difference(smallest, count.source, count.documents, mine, theirs, problem))


def _batch_of(reference: BatchIds, batch: list[str]) -> list[list[int] | None]:
    """The ids of each text; text by text if the library fails on the batch, with None where it fails."""
    try:
        return list(reference(batch))
    except BaseException as error:
        _unless_failure(error)
    return [_ids_of(reference, text)[0] for text in batch]


def _ids_of(reference: BatchIds, text: str) -> tuple[list[int] | None, str | None]:
    """The ids of one text, or None and the library's error."""
    try:
        return reference([text])[0], None
    except BaseException as error:
        _unless_failure(error)
        return None, f"{type(error).__name__}: {error}"


def _unless_failure(error: BaseException) -> None:
    """Raises what ends the program. A panic of a library in Rust is no Exception, yet a failure like any other."""
    if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
        raise error
