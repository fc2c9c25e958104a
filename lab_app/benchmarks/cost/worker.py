"""The process of one entrant: encodes texts that it makes itself, and times them, as it is asked.

An entrant is a tokenizer in an engine, one of the engine's textbook encoders, one in Python, a truncated vocabulary,
or an algorithm of BPE training. Not here: the process and its time limit (`process`), the order of samples (`processes`).
"""

import hashlib
import importlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lab_app import engine
from lab_app.benchmarks.clock import Clock, SystemClock, timed
from lab_app.benchmarks.cost import textbook
from lab_app.benchmarks.cost.inputs import INPUTS
from lab_app.children.session import serve
from lab_app.peers import tokenlab
from lab_app.peers.peer import Engine, Ids, TokenizerFiles

DOCUMENT_BYTES = 2000


@dataclass
class Entrant:
    """What is timed, and how to read its answer afterwards."""

    run: Callable[[list[Any]], Any]
    """Encodes all texts, or what `prepare` made of them."""
    rows: Callable[[Any], Iterable[Ids]] = iter
    """The ids of each text, of what `run` returned."""
    steps: Callable[[Any], dict[str, int] | None] = lambda answer: None
    """The steps that were counted."""
    prepare: Callable[[list[str]], list[Any]] = list
    """What is not timed."""


def main() -> None:
    """Answers requests on stdin until it ends, or until the lab does."""
    serve(CostWorker(SystemClock()).answer)


class CostWorker:
    """Answers requests, each a dictionary with `do`. The state is one loaded entrant and the prepared texts."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._texts: list[Any] = []

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to one request. Raises whatever the entrant raises."""
        handlers: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "start": lambda request: {},
            "load": self._load,
            "prepare": self._prepare,
            "time": self._time,
        }
        return handlers[request["do"]](request)

    def _load(self, request: dict[str, Any]) -> dict[str, Any]:
        """Loads the entrant: `kind`, `files` of a tokenizer, and what that kind needs."""
        if request["kind"] == "trainer":
            self._entrant = _trainer(request)
            return {}
        files = TokenizerFiles(**request["files"])
        self._entrant = LOADERS[request["kind"]](files, request)
        return {}

    def _prepare(self, request: dict[str, Any]) -> dict[str, Any]:
        """Makes the texts to encode next: `texts` of them with `bytes` bytes each, as documents if `documents`."""
        texts = texts_of(request["text"], request["bytes"], request["texts"], request["seed"])
        texts = [part for text in texts for part in documents_of(text)] if request["documents"] else texts
        self._texts = self._entrant.prepare(texts)
        return {"bytes": sum(len(text.encode()) for text in texts)}

    def _time(self, request: dict[str, Any]) -> dict[str, Any]:
        """Encodes the prepared texts, each once. The digest is that of the ids of all of them."""
        entrant, texts = self._entrant, self._texts
        found = timed(self._clock, lambda: entrant.run(texts))
        rows = [np.asarray(ids, np.uint32) for ids in entrant.rows(found.answer)]
        digest = hashlib.blake2b(digest_size=16)
        for ids in rows:
            digest.update(ids.tobytes())
        return {
            "elapsed_ns": found.elapsed_ns,
            "tokens": sum(ids.size for ids in rows),
            "steps": entrant.steps(found.answer),
            "digest": digest.hexdigest(),
        }


def texts_of(text: dict[str, Any], bytes: int, texts: int, seed: int) -> list[str]:
    """Texts of a size: made by an input, or parts of a file that begin at random places.

    >>> texts_of({"input": "one_letter"}, 3, 2, seed=0)
    ['aaa', 'aaa']
    """
    if "input" in text:
        kind = INPUTS[text["input"]]
        return [kind.make(bytes, seed + number) for number in range(texts)]
    data = Path(text["path"]).read_bytes()
    starts = np.random.default_rng(seed).integers(0, max(1, len(data) - bytes + 1), texts).tolist()
    return [data[start : start + bytes].decode("utf-8", "ignore") for start in starts]


def documents_of(text: str) -> list[str]:
    """Parts of about 2 kB.

    >>> [len(part) for part in documents_of("a" * 4500)]
    [2000, 2000, 500]
    """
    return [text[start : start + DOCUMENT_BYTES] for start in range(0, len(text), DOCUMENT_BYTES)]


def _engine(files: TokenizerFiles, request: dict[str, Any]) -> Entrant:
    """A tokenizer in any engine; with `batch`, all texts in one call."""
    module: Engine = importlib.import_module(request["engine"])
    calls = module.load(files, request["threads"])
    if request["batch"]:
        if calls.batch is None:
            raise NotImplementedError(f"{module.TITLE} has no call for a batch")
        return Entrant(calls.batch, calls.rows)
    one = calls.ids
    return Entrant(lambda texts: [one(text) for text in texts])


def _truncated(files: TokenizerFiles, request: dict[str, Any]) -> Entrant:
    """The lab's engine with the vocabulary truncated to `vocab_size` tokens."""
    tokenizer = tokenlab.tokenizer_of(files)
    if request["vocab_size"] < tokenizer.vocab_size:
        tokenizer = tokenizer.truncated(request["vocab_size"])
    return Entrant(lambda texts: [tokenizer.encode_ids(text) for text in texts])


def _textbook(files: TokenizerFiles, request: dict[str, Any]) -> Entrant:
    """A textbook encoder of the engine, with its steps counted."""
    tokenizer, algorithm = tokenlab.tokenizer_of(files), request["algorithm"]

    def steps(answers: list[Any]) -> dict[str, int]:
        return {name: sum(counted[name] for _, _, counted in answers) for name in answers[0][2]}

    def run(texts: list[str]) -> list[Any]:
        try:
            return [engine.textbook_encode(tokenizer, text, algorithm) for text in texts]
        except engine.EncodeError as error:  # another kind of tokenizer, or a text too long for a quadratic encoder
            raise NotImplementedError(str(error)) from error

    return Entrant(
        run,
        lambda answers: (ids for ids, _, _ in answers),
        steps,
    )


def _python(files: TokenizerFiles, request: dict[str, Any]) -> Entrant:
    """The textbook encoder in Python. Raises NotImplementedError for a tokenizer whose split pattern it does not have."""
    pattern = textbook.PATTERNS.get(files.builtin or "")
    if pattern is None:
        known = ", ".join(textbook.PATTERNS)
        raise NotImplementedError(f"the textbook in Python has the split patterns of {known} alone")
    ranks = textbook.ranks_of(tokenlab.tokenizer_of(files))
    return Entrant(lambda texts: [textbook.encode(text, pattern, ranks) for text in texts])


def _trainer(request: dict[str, Any]) -> Entrant:
    """An algorithm of BPE training. The words are counted before it is timed; its ids are the pairs that it merges."""
    options, algorithm, merges = request["options"], request["algorithm"], request["merges"]

    def counted(texts: list[str]) -> list[engine.WordCounter]:
        counters = []
        for text in texts:
            counter = engine.WordCounter(options)
            counter.add([text], threads=1)
            counters.append(counter)
        return counters

    def run(counters: list[engine.WordCounter]) -> list[bytes]:
        return [engine.train_race(options, counter, algorithm, merges) for counter in counters]

    def steps(answers: list[bytes]) -> dict[str, int]:
        found = [json.loads(answer)["steps"] for answer in answers]
        return {name: sum(each[name] for each in found) for name in found[0]}

    return Entrant(run, lambda answers: (np.ravel(json.loads(answer)["merges"]) for answer in answers), steps, counted)


LOADERS = {"engine": _engine, "truncated": _truncated, "textbook": _textbook, "python": _python}
