"""The process that measures: one tokenizer, its texts, and all libraries in turns.

Reads a job from standard input and writes events to standard output, one JSON value per line: `{"touch": library}` before a
library is first used, so that a crash has a name, and `{"case": number, "measured": [...]}` after each case. Ids are compared
before anything is timed. Not here: which jobs there are and what the figures say (`run`).
"""

import hashlib
import json
import os
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from lab_app.benchmarks.clock import SystemClock, timed
from lab_app.benchmarks.cost.inputs import INPUTS
from lab_app.benchmarks.environment import chosen_cpus
from lab_app.peers.peer import Calls, TokenizerFiles
from tests.performance.engine.libraries import Libraries, reference
from tests.performance.engine.rows import OURS, WORST_BYTES
from tests.performance.engine.verdict import Measured
from tests.performance.texts import cut, documents

SHORT = "Hello, world: this is a first text. 123"
SLOW_S = 0.25
"""A library that takes longer than this for a call is measured in `FEW` rounds."""
FEW = 3
ENOUGH_S = 30.0
"""A library that has taken so long in a case has no further round: kitoken takes two minutes for 2 MB of Japanese as BERT."""
FRESH_ROUNDS = 5
"""Of measures that load a tokenizer in each round."""
CALLS = 2000

Ids = Any
Run = Callable[[], object]
Prepare = Callable[[int], Run]
"""Makes what is timed in a round, from the number of the round. Not timed."""


@dataclass
class Contestant:
    """One library or one way to call ours."""

    name: str
    calls: Calls
    load: Callable[[], Calls]
    state: str = "measured"
    message: str | None = None
    samples: list[float | None] = field(default_factory=list)
    work: float = 1.0

    def measured(self) -> Measured:
        """Without the tokenizer."""
        state: Any = self.state
        samples = tuple(self.samples) if self.state == "measured" else ()
        return Measured(self.name, state, self.message, samples, self.work, self.calls.read_from)


class Child:
    """Measures the cases of one job."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        self.files = _files(job["files"])
        self.beside = _files(job["beside"]) if job.get("beside") else None
        self.libraries = Libraries(job["folders"], job["next_release"])
        self._clock = SystemClock()
        self._loaded: dict[str, Calls] = {}
        self._touched: set[str] = set()
        self._references: dict[tuple[str, str], bytes] = {}

    def run(self) -> None:
        """Answers every case."""
        for number, case in enumerate(self.job["cases"]):
            if case["measure"] in ("load", "memory"):
                raise ValueError(f"{case['measure']} has a process per library")
            measured = MEASURES[case["measure"]](self, case)
            _say({"case": number, "measured": [asdict(each) for each in measured]})

    def touch(self, name: str) -> None:
        """Says that a library is used, once."""
        if name not in self._touched:
            self._touched.add(name)
            _say({"touch": name})

    def loaded(self, name: str) -> Calls:
        """A tokenizer that stays."""
        if name not in self._loaded:
            self.touch(name)
            self._loaded[name] = self.libraries.load(name, self.files)
        return self._loaded[name]

    def ours(self) -> Any:
        """The tokenizer of the engine."""
        return self.loaded(OURS).timed

    def contestants(self, case: dict[str, Any], texts: Sequence[str]) -> tuple[list[Contestant], list[Measured]]:
        """Those whose ids are right on the texts, and what is to be said of the others."""
        ready, out = [], []
        for name in case["libraries"]:
            problem = self.job["crashed"].get(name)
            if problem:
                out.append(Measured(name, "failed", problem))
                continue
            try:
                calls = self.loaded(name)
                found = digest(calls.ids(text) for text in texts)
            except BaseException as error:  # a panic of Rust is no Exception
                if isinstance(error, KeyboardInterrupt | SystemExit):
                    raise
                out.append(Measured(name, "failed", f"{type(error).__name__}: {error}"[:300]))
                continue
            expected, by = self.expected(name, calls, texts)
            if expected is not None and found != expected:
                out.append(Measured(name, "inexact", f"other ids than {by} on this text", read_from=calls.read_from))
            else:
                ready.append(Contestant(name, calls, lambda name=name: self.libraries.load(name, self.files)))  # type: ignore[misc]
        return ready, out

    def expected(self, name: str, calls: Calls, texts: Sequence[str]) -> tuple[bytes | None, str]:
        """The digest of the ids of the reference for the file that a library reads, and the name of that reference.

        Without a reference that is installed, ours is it.
        """
        reads_json = self.files.tokenizer_json and Path(self.files.tokenizer_json).name in calls.read_from
        files = self.files
        if reads_json and self.files.sentencepiece_model:
            files = TokenizerFiles(self.files.tokenizer, tokenizer_json=self.files.tokenizer_json)
        by = reference(files) or OURS
        if by in self.job["crashed"]:
            return None, by
        key = (by, hashlib.sha256("\0".join(texts).encode()).hexdigest())
        if key not in self._references:
            self.touch(by)
            self._references[key] = digest(self.loaded(by).ids(text) for text in texts)
        return self._references[key], by

    def in_turns(self, contestants: Sequence[Contestant], prepare: dict[str, Prepare], rounds: int) -> None:
        """Times all in turns, in changing order, so that a slow moment of the machine hits all alike."""
        for number in range(rounds):
            for each in contestants if number % 2 == 0 else reversed(contestants):
                if is_enough([sample for sample in each.samples if sample is not None]):
                    each.samples.append(None)
                    continue
                run = prepare[each.name](number)
                each.samples.append(float(timed(self._clock, run).elapsed_ns))


def is_enough(times_ns: Sequence[float]) -> bool:
    """Whether a library that took these times has no further round in a case."""
    is_slow = len(times_ns) >= FEW and statistics.median(times_ns) > SLOW_S * 1e9
    return is_slow or sum(times_ns) > ENOUGH_S * 1e9


def warm(child: Child, case: dict[str, Any]) -> list[Measured]:
    """The text again, by a tokenizer that has seen it."""
    text = _text(case)
    ready, out = child.contestants(case, [text])
    prepare: dict[str, Prepare] = {each.name: lambda _, each=each: lambda: each.calls.ids(text) for each in ready}  # type: ignore[misc]
    child.in_turns(ready, prepare, case["rounds"])
    return _done(ready, out, len(text.encode()))


def cold(child: Child, case: dict[str, Any], first: str | None = None) -> list[Measured]:
    """The text as the first one of a fresh tokenizer, or as the one after `first`."""
    text = _text(case)
    ready, out = child.contestants(case, [text])

    def fresh(each: Contestant) -> Prepare:
        def prepare(_: int) -> Run:
            calls = each.load()
            if first is not None:
                calls.ids(first)
            return lambda: calls.ids(text)

        return prepare

    child.in_turns(ready, {each.name: fresh(each) for each in ready}, min(case["rounds"], FRESH_ROUNDS))
    return _done(ready, out, len(text.encode()))


def unseen(child: Child, case: dict[str, Any]) -> list[Measured]:
    """The text as the second one of a fresh tokenizer, whose tables a short text has built."""
    return cold(child, case, SHORT)


def documents_new(child: Child, case: dict[str, Any]) -> list[Measured]:
    """Documents one by one, new to a tokenizer whose tables are built."""
    return _of_documents(child, case, fresh=True)


def documents_again(child: Child, case: dict[str, Any]) -> list[Measured]:
    """The same documents again."""
    return _of_documents(child, case, fresh=False)


def _of_documents(child: Child, case: dict[str, Any], fresh: bool) -> list[Measured]:
    texts = _mixed(case)
    ready, out = child.contestants(case, texts)

    def prepare(each: Contestant) -> Prepare:
        def of_round(_: int) -> Run:
            calls = each.load() if fresh else each.calls
            calls.ids(SHORT)

            def run() -> None:
                ids = calls.ids
                for text in texts:
                    ids(text)

            return run

        return of_round

    rounds = min(case["rounds"], FRESH_ROUNDS) if fresh else case["rounds"]
    child.in_turns(ready, {each.name: prepare(each) for each in ready}, rounds)
    return _done(ready, out, sum(len(text.encode()) for text in texts))


def spans(child: Child, case: dict[str, Any]) -> list[Measured]:
    """Ids and spans, and ids alone."""
    text = _text(case)
    tokenizer = child.ours()
    runs: dict[str, Run] = {
        OURS: lambda: tokenizer.encode_with_ends(text),
        "ids alone": lambda: tokenizer.encode_ids(text),
    }
    return _own(child, case, runs, dict.fromkeys(runs, float(len(text.encode()))))


def lists(child: Child, case: dict[str, Any]) -> list[Measured]:
    """Ids as a list of Python ints."""
    text = _text(case)
    ready, out = child.contestants(case, [text])

    def listed(each: Contestant) -> Run:
        to_list = each.calls.lists
        if to_list is not None:
            return lambda: to_list(text)

        def run() -> object:
            found = each.calls.ids(text)
            return found if isinstance(found, list) else found.tolist()

        return run

    prepare: dict[str, Prepare] = {each.name: lambda _, each=each: listed(each) for each in ready}  # type: ignore[misc]
    child.in_turns(ready, prepare, case["rounds"])
    return _done(ready, out, len(text.encode()))


def beside(child: Child, case: dict[str, Any]) -> list[Measured]:
    """This tokenizer, and the one of the floor on the same text."""
    text = _text(case)
    assert child.beside is not None
    tokenizer, other = child.ours(), child.libraries.load(OURS, child.beside).timed
    assert other is not None
    expected = _wrong(child, text)
    if expected is not None:
        return [expected]
    runs: dict[str, Run] = {
        OURS: lambda: tokenizer.encode_ids(text),
        child.beside.tokenizer: lambda: other.encode_ids(text),  # type: ignore[attr-defined]
    }
    return _own(child, case, runs, dict.fromkeys(runs, float(len(text.encode()))))


def calls(size: int) -> Callable[[Child, dict[str, Any]], list[Measured]]:
    """Calls with different texts of `size` bytes."""

    def measure(child: Child, case: dict[str, Any]) -> list[Measured]:
        whole = cut(_text(case), CALLS * size)
        texts = [part for part in documents({"": whole}, size) if part]
        ready, out = child.contestants(case, texts)

        def prepare(each: Contestant) -> Prepare:
            def run() -> None:
                ids = each.calls.ids
                for text in texts:
                    ids(text)

            return lambda _: run

        child.in_turns(ready, {each.name: prepare(each) for each in ready}, case["rounds"])
        return _done(ready, out, len(texts))

    return measure


def threads(child: Child, case: dict[str, Any]) -> list[Measured]:
    """Documents as one batch on two threads and on one.

    Which thread gets which documents differs from call to call, so both have seen all of them after several calls only.
    """
    texts = _mixed(case)
    tokenizer = child.ours()
    runs: dict[str, Run] = {
        OURS: lambda: tokenizer.encode_ids_batch(texts, threads=2),
        "1 thread": lambda: tokenizer.encode_ids_batch(texts, threads=1),
    }
    size = float(sum(len(text.encode()) for text in texts))
    return _own(child, case, runs, dict.fromkeys(runs, size), warm_ups=10)


def worst(child: Child, case: dict[str, Any]) -> list[Measured]:
    """An input that breaks encoders; random ones are another one in each round."""
    kind = INPUTS[case["text"]]
    tokenizer = child.ours()
    tokenizer.encode_ids(SHORT)
    wrong = _wrong(child, kind.make(WORST_BYTES // 10, 0))
    if wrong is not None:
        return [wrong]

    def prepare(number: int) -> Run:
        text = kind.make(WORST_BYTES, number)
        return lambda: tokenizer.encode_ids(text)

    ready = [Contestant(OURS, child.loaded(OURS), lambda: child.loaded(OURS))]
    child.in_turns(ready, {OURS: prepare}, case["rounds"])
    return _done(ready, [], 1)


def linear(child: Child, case: dict[str, Any]) -> list[Measured]:
    """An input that breaks encoders, of 1 MB and of 10 MB; speeds, so that linear time is a ratio of 1."""
    kind = INPUTS[case["text"]]
    tokenizer = child.ours()
    texts = {OURS: kind.make(10_000_000, 1), "1 MB": kind.make(1_000_000, 2)}
    runs: dict[str, Run] = {name: lambda name=name: tokenizer.encode_ids(texts[name]) for name in texts}  # type: ignore[misc]
    return _own(child, case, runs, {name: float(len(text.encode())) for name, text in texts.items()}, rounds=FEW)


MEASURES: dict[str, Callable[[Child, dict[str, Any]], list[Measured]]] = {
    "warm": warm,
    "cold": cold,
    "unseen": unseen,
    "documents_new": documents_new,
    "documents_again": documents_again,
    "spans": spans,
    "lists": lists,
    "beside": beside,
    "calls_20": calls(20),
    "calls_1000": calls(1000),
    "threads": threads,
    "worst": worst,
    "linear": linear,
}
"""By name. `load` and `memory` have a process per library and round: `alone`."""


def alone(job: dict[str, Any]) -> None:
    """Loads one tokenizer in a process of its own; says the time with the first call, and the memory after a text."""
    from lab_app.benchmarks.memory import peak_bytes, resident_bytes

    libraries, files = Libraries(job["folders"], job["next_release"]), _files(job["files"])
    libraries.imported(job["library"])
    text = _read(job["path"]) if job.get("path") else None
    before = resident_bytes() or 0
    loaded: list[Calls] = []

    def first() -> object:
        loaded.append(libraries.load(job["library"], files))
        return loaded[0].ids(SHORT)

    elapsed = timed(SystemClock(), first).elapsed_ns
    if text is not None:
        del_me = loaded[0].ids(text)
        del del_me
    after = resident_bytes() or 0
    _say({"elapsed_ns": elapsed, "bytes": after - before, "peak": (peak_bytes() or 0) - before})


def digest(rows: Iterator[Ids]) -> bytes:
    """Of the ids of texts, whatever type they have.

    >>> digest(iter([[1, 2], [3]])) == digest(iter([np.array([1, 2]), np.array([3], np.uint32)]))
    True
    """
    found = hashlib.sha256()
    for ids in rows:
        row = np.asarray(ids).astype(np.uint32)
        found.update(len(row).to_bytes(8, "little"))
        found.update(row.tobytes())
    return found.digest()


def _own(
    child: Child,
    case: dict[str, Any],
    runs: dict[str, Run],
    work: dict[str, float],
    rounds: int | None = None,
    warm_ups: int = 1,
) -> list[Measured]:
    """Ways to call ours, in turns, after so many calls each that warm up."""
    ours = child.loaded(OURS)
    contestants = [Contestant(name, ours, lambda: ours, work=work[name]) for name in runs]
    for _ in range(warm_ups):
        for run in runs.values():
            run()
    prepare: dict[str, Prepare] = {name: lambda _, run=run: run for name, run in runs.items()}  # type: ignore[misc]
    child.in_turns(contestants, prepare, rounds or case["rounds"])
    return [each.measured() for each in contestants]


def _wrong(child: Child, text: str) -> Measured | None:
    """What to say if the ids of ours are not those of the reference on a text."""
    ours = child.loaded(OURS)
    expected, by = child.expected(OURS, ours, [text])
    if expected is None or digest(iter([ours.ids(text)])) == expected:
        return None
    return Measured(OURS, "inexact", f"other ids than {by} on this text", read_from=ours.read_from)


def _done(ready: Sequence[Contestant], out: Sequence[Measured], work: float) -> list[Measured]:
    for each in ready:
        each.work = work
    return [*(each.measured() for each in ready), *out]


def _text(case: dict[str, Any]) -> str:
    return _read(case["paths"][0])


def _read(path: str) -> str:
    """A text with its line breaks as they are."""
    return Path(path).read_bytes().decode()


def _mixed(case: dict[str, Any]) -> list[str]:
    texts = {path: _read(path) for path in case["paths"]}
    return documents(texts)


def _files(fields: dict[str, Any]) -> TokenizerFiles:
    return TokenizerFiles(**{**fields, "written": tuple(fields["written"])})


def _say(event: dict[str, Any]) -> None:
    print(json.dumps(event), flush=True)


def main() -> None:
    """One job."""
    job = json.load(sys.stdin)
    if not job.get("threads") and (cpus := chosen_cpus(1)):
        os.sched_setaffinity(0, cpus)
    if "library" in job:
        alone(job)
    else:
        Child(job).run()


if __name__ == "__main__":
    main()
