"""Measures how far typos and other small edits change the tokens of sampled sentences, for several tokenizers.

All tokenizers get the same sentences and the same edits. Not here: the edits and the formulas (`lab_app.analysis`).
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lab_app.analysis import perturbations, robustness
from lab_app.analysis.options import RobustnessOptions
from lab_app.analysis.perturbations import Edit
from lab_app.analysis.robustness import Change, KindRobustness, NoiseRobustness
from lab_app.engine import Specials, Tokenizer
from lab_app.errors import BadValue
from lab_app.jobs.job import Job, Running
from lab_app.options import check_options
from lab_app.services.corpora.corpora import named_corpus
from lab_app.services.corpora.texts import corpus_texts, sentences_in
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.restarting import call_of
from lab_app.version import lab_version

MAX_CHARACTERS = 300
"""Longer sentences are left out: one edit in them says little about the sentence."""
LEVELS = (0.0, 0.05, 0.1, 0.15, 0.2)
MAX_TOKENIZERS = 20
DEFAULT_KINDS = tuple(kind for kind in perturbations.KINDS if kind != "homoglyph")
SPECIALS: Specials = "text"
SLICE = 500
"""Sentences that are edited and encoded between two looks at whether the job was cancelled."""


@dataclass(frozen=True)
class TokenizerRobustness:
    """One tokenizer."""

    tokenizer: str
    sha256: str | None
    kinds: list[KindRobustness]
    noise: list[NoiseRobustness]


@dataclass(frozen=True)
class NotMeasured:
    """A part that was left out."""

    what: str
    reason: str


@dataclass(frozen=True)
class Robustness:
    """How far small edits change tokens. Added special tokens are not counted; text that looks like one is ordinary text."""

    corpus: str
    corpus_sha256: str
    lab_version: str
    seed: int
    sentences: int
    """Sentences that were edited, of at most 300 characters each."""
    sentence_bytes: int
    """UTF-8 bytes of them."""
    tokenizers: list[TokenizerRobustness]
    not_measured: list[NotMeasured]


def start_robustness(lab: Lab, ids: Sequence[str], corpus: str, options: RobustnessOptions) -> Job:
    """Starts the measurement as a job whose result is a Robustness. Raises what `check` raises."""
    check(lab, ids, options)
    return lab.jobs.submit(
        "robustness",
        f"Robustness on {corpus}",
        lambda running: measure(lab, ids, corpus, options, running),
        unit="sentences",
        call=call_of(start_robustness, ids=ids, corpus=corpus, options=options),
    )


def check(lab: Lab, ids: Sequence[str], options: RobustnessOptions) -> None:
    """Raises BadValue for options that cannot be, NotFound for an unknown tokenizer."""
    if not 1 <= len(ids) <= MAX_TOKENIZERS:
        raise BadValue(f"{len(ids)} tokenizers cannot be measured", f"name 1 to {MAX_TOKENIZERS}")
    check_options(options)
    for kind in kinds_of(options):
        if kind not in perturbations.KINDS:
            raise BadValue(f'"{kind}" is no kind of edit', f"choose from {', '.join(perturbations.KINDS)}")
    for id in ids:
        lab.loaded.get(id)


def measure(lab: Lab, ids: Sequence[str], corpus: str, options: RobustnessOptions, running: Running) -> Robustness:
    """Samples sentences of a corpus and measures every tokenizer on them. Raises what `check` raises, and Cancelled.

    Raises BadValue also for a corpus without a sentence of at most 300 characters.
    """
    check(lab, ids, options)
    found = named_corpus(lab, [corpus])
    texts = corpus_texts(found, options.sample_bytes, options.seed)
    sentences = sampled(_sentences(texts.read(), running), options.sentences, options.seed)
    if not sentences:
        raise BadValue(f"{found.title} has no sentence of at most {MAX_CHARACTERS} characters", "choose another corpus")
    steps = len(kinds_of(options)) + len(LEVELS) + 1
    measured = []
    for number, id in enumerate(dict.fromkeys(ids)):
        entry, tokenizer = lab.loaded.get(id)
        with translate_engine_errors():
            kinds, noise = _measure_one(tokenizer, sentences, options, running, number * steps, len(ids) * steps)
        measured.append(TokenizerRobustness(entry.id, entry.sha256, kinds, noise))
    return Robustness(
        corpus=found.id,
        corpus_sha256=found.sha256,
        lab_version=lab_version(),
        seed=options.seed,
        sentences=len(sentences),
        sentence_bytes=sum(len(each.encode()) for each in sentences),
        tokenizers=measured,
        not_measured=_not_measured(measured[0].kinds),
    )


def kinds_of(options: RobustnessOptions) -> tuple[str, ...]:
    """The kinds of edit that are asked for: names of `perturbations.KINDS`."""
    return DEFAULT_KINDS if options.kinds is None else options.kinds


def sampled(sentences: Iterable[str], count: int, seed: int) -> list[str]:
    """At most `count` of the sentences, each equally likely, in memory for that many (reservoir sampling).

    >>> sampled(["a", "b", "c"], 5, 0), len(sampled(map(str, range(1000)), 10, 0))
    (['a', 'b', 'c'], 10)

    Source: algorithm R, Vitter 1985.
    """
    chance = random.Random(f"sentences {seed}")
    kept: list[str] = []
    for number, sentence in enumerate(sentences):
        if number < count:
            kept.append(sentence)
        elif (at := chance.randrange(number + 1)) < count:
            kept[at] = sentence
    return kept


def _sentences(batches: Iterable[list[str]], running: Running) -> Iterator[str]:
    """Sentences of at most `MAX_CHARACTERS`."""
    for batch in batches:
        running.check()
        for document in batch:
            yield from sentences_in(document, MAX_CHARACTERS)


def _measure_one(
    tokenizer: Tokenizer, sentences: list[str], options: RobustnessOptions, running: Running, done: int, total: int
) -> tuple[list[KindRobustness], list[NoiseRobustness]]:
    def report(step: int, message: str) -> None:
        running.report((done + step) * len(sentences), total * len(sentences), message)

    before = [each for _, part in _slices(sentences, running) for each in boundaries(tokenizer, part)]
    kinds = []
    for step, kind in enumerate(kinds_of(options), 1):
        report(step, kind)
        kinds.append(_measure_kind(tokenizer, sentences, before, kind, options.seed, running))
    levels = []
    for step, level in enumerate(LEVELS, len(kinds_of(options)) + 1):
        report(step, f"noise {level:.0%}")
        edits = tokens = size = 0
        for first, part in _slices(sentences, running):
            noisy = [perturbations.noisy(text, level, f"{options.seed} {n}") for n, text in enumerate(part, first)]
            texts = [text for text, _ in noisy]
            tokens += tokenizer.encode_ids_batch(texts, specials=SPECIALS)[0].size
            edits += sum(count for _, count in noisy)
            size += sum(len(text.encode()) for text in texts)
        levels.append((level, edits, tokens, size))
    report(len(kinds_of(options)) + len(LEVELS) + 1, "")
    return kinds, robustness.of_noise(levels)


Boundaries = tuple[set[int], int]
"""Boundaries inside a text, in bytes, and its number of tokens."""


def _slices(sentences: list[str], running: Running) -> Iterator[tuple[int, list[str]]]:
    """Some sentences at a time, with the number of the first. Raises Cancelled."""
    for first in range(0, len(sentences), SLICE):
        running.check()
        yield first, sentences[first : first + SLICE]


def _measure_kind(
    tokenizer: Tokenizer, sentences: list[str], before: list[Boundaries], kind: str, seed: int, running: Running
) -> KindRobustness:
    changes: list[Change] = []
    for first, part in _slices(sentences, running):
        edits = [(n, perturbations.edit(kind, text, f"{seed} {n}")) for n, text in enumerate(part, first)]
        edited: list[tuple[int, Edit]] = [(n, edit) for n, edit in edits if edit is not None]
        after = boundaries(tokenizer, [edit.applied(sentences[n]) for n, edit in edited])
        changes += [
            robustness.change(sentences[n], edit, before[n][0], there, (before[n][1], count))
            for (n, edit), (there, count) in zip(edited, after, strict=True)
        ]
    return robustness.of_kind(kind, changes, len(sentences) - len(changes))


def boundaries(tokenizer: Tokenizer, texts: Sequence[str]) -> list[Boundaries]:
    """The boundaries of each text: starts and ends of its tokens, in bytes, the ends of the text excluded.

    >>> boundaries(Tokenizer.builtin("gpt2"), ["no word"])
    [({2}, 2)]
    """
    encoded = tokenizer.encode_batch(texts, add_special_tokens=False, specials=SPECIALS)
    found = []
    for text, encoding in zip(texts, encoded, strict=True):
        spans = encoding.span_utf8
        places = set(spans[spans[:, 0] < spans[:, 1]].ravel().tolist())
        found.append((places - {0, len(text.encode())}, len(encoding)))
    return found


def _not_measured(kinds: Sequence[KindRobustness]) -> list[NotMeasured]:
    reason = "no sampled sentence has a place for this edit"
    return [NotMeasured(each.kind, reason) for each in kinds if each.edits == 0]
