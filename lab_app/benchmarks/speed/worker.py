"""The process of one subject: loads a tokenizer in an engine and times one sample at a time, as it is asked.

Started by `process`. Between two requests it waits in a read and uses no CPU, so that one process works at a time. What the
engine prints goes to stderr. An error becomes an answer; a crash ends this process alone.

Not here: the order of samples (`runner`), time limits (`process`), what times mean (`statistics`).
"""

import gc
import hashlib
import importlib
import os
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

import numpy as np

from lab_app.benchmarks import memory
from lab_app.benchmarks.clock import Clock, SystemClock, timed
from lab_app.children.session import serve
from lab_app.peers.peer import Calls, Engine, Ids, TimedTokenizer, TokenizerFiles


def main() -> None:
    """Answers requests on stdin until it ends."""
    serve(Worker(SystemClock()).answer)


class Worker:
    """Answers requests, each a dictionary with `do`. The state is one loaded tokenizer and one text."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._base_bytes: int | None = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to one request. Raises whatever the engine raises."""
        handlers: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "start": lambda request: {},
            "load": self._load,
            "first": self._first,
            "digests": self._digests,
            "difference": self._difference,
            "sample": self._sample,
            "latency": self._latency,
            "stages": self._stages,
        }
        return handlers[request["do"]](request)

    def _load(self, request: dict[str, Any]) -> dict[str, Any]:
        """Reads the text, imports the library, loads the tokenizer. Memory is what the last two add."""
        if request["cpus"] and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, request["cpus"])
        self._engine: Engine = importlib.import_module(request["engine"])
        self._files = TokenizerFiles(**request["files"])
        self._threads, self._output, self._shape = request["threads"], request["output"], request["shape"]
        self._documents = _documents(request["text"], request["ends"])
        self._parts = [self._documents[begin:end] for begin, end in request["parts"]]
        if self._shape == "whole":
            self._parts = [["".join(part)] for part in self._parts]
        gc.collect()
        memory.reset_peak()
        self._base_bytes = memory.resident_bytes()
        library = timed(self._clock, lambda: importlib.import_module(self._engine.MODULE))
        loaded = timed(self._clock, self._build)
        return {
            "import_ns": library.elapsed_ns,
            "load_ns": loaded.elapsed_ns,
            "loaded_bytes": self._above_base(memory.resident_bytes()),
            "read_from": self._calls.read_from,
        }

    def _first(self, request: dict[str, Any]) -> dict[str, Any]:
        """The first call, with the first document; then one pass over the text."""
        first = timed(self._clock, lambda: self._one(self._documents[0]))
        first_pass = timed(self._clock, lambda: [self._pass(part) for part in self._parts] and None)
        return {
            "first_call_ns": first.elapsed_ns,
            "pass_ns": first_pass.elapsed_ns,
            "resident_bytes": self._above_base(memory.resident_bytes()),
            "peak_bytes": self._above_base(memory.peak_bytes()),
        }

    def _digests(self, request: dict[str, Any]) -> dict[str, Any]:
        """A digest of the ids of each unit (a document, or the whole text), and the number of tokens of each part."""
        rows = [[_array(ids) for ids in self._ids(part)] for part in self._parts]
        return {
            "digests": [hashlib.blake2b(ids.tobytes(), digest_size=16).hexdigest() for part in rows for ids in part],
            "tokens": [sum(len(ids) for ids in part) for part in rows],
        }

    def _difference(self, request: dict[str, Any]) -> dict[str, Any]:
        """The ids of one unit."""
        units = [unit for part in self._parts for unit in part]
        ids = _array(self._row(self._one(units[request["unit"]]))).tolist()
        return {"ids": ids}

    def _sample(self, request: dict[str, Any]) -> dict[str, Any]:
        """Times `calls` passes over a part; with `fresh`, by a tokenizer that was just loaded."""
        if request["fresh"]:
            del self._calls
            gc.collect()
            self._build()
        part, calls = self._parts[request["part"]], request["calls"]

        def passes() -> Any:
            for _ in range(calls):
                last = self._pass(part)
            return last

        found = timed(self._clock, passes)
        return {
            "elapsed_ns": found.elapsed_ns // calls,
            "cpu_ns": found.cpu_ns // calls,
            "tokens": self._count(found.answer),
        }

    def _latency(self, request: dict[str, Any]) -> dict[str, Any]:
        """The time of one call with each document, in ns, and its tokens."""
        now, one = self._clock.now_ns, self._one
        times, answers = [], []
        gc.collect()
        gc.disable()
        try:
            for document in self._documents:
                begin = now()
                answer = one(document)
                times.append(now() - begin)
                answers.append(len(self._row(answer)))
                del answer
        finally:
            gc.enable()
        return {"times_ns": times, "tokens": answers}

    def _stages(self, request: dict[str, Any]) -> dict[str, Any]:
        """The fields of `StageTimes` over the whole text, in units of the run; None if the engine does not report them."""
        # Here, since it imports the engine of the lab, which is part of what `load` times.
        from lab_app.benchmarks.stages import Fresh, stage_report

        timed = self._calls.timed
        if timed is None:
            return {"stages": None}
        if request["fresh"]:
            timed = Fresh(lambda: cast(TimedTokenizer, self._engine.load(self._files, self._threads).timed))
        (row,) = stage_report(
            "",
            [(self._files.tokenizer, timed)],
            [unit for part in self._parts for unit in part],
            paths=["fast"],
            rounds=request["rounds"],
            spans=self._output == "spans",
        ).rows
        return {"stages": asdict(row)}

    def _build(self) -> None:
        self._calls: Calls = self._engine.load(self._files, self._threads)
        calls = self._calls
        if self._shape == "batch":
            call = calls.batch_spans if self._output == "spans" else calls.batch
            if call is None:
                raise NotImplementedError(f"{self._engine.NAME} has no call for a batch with {self._output}")
            self._batch: Callable[[list[str]], Any] = call
            if self._output == "lists":
                plain = call
                self._batch = lambda texts: [_list(row) for row in calls.rows(plain(texts))]
        if self._output == "spans":
            if calls.spans is None:
                raise NotImplementedError(f"{self._engine.NAME} has no spans")
            self._one: Callable[[str], Any] = calls.spans
        elif self._output == "lists":
            self._one = lambda text: _list(calls.ids(text))
        else:
            self._one = calls.ids

    def _pass(self, part: list[str]) -> Any:
        """Encodes one part in the shape of the run. Returns what the last call returned, or the answer for the batch."""
        if self._shape == "batch":
            return self._batch(part)
        if self._shape == "whole":
            return self._one(part[0])
        count = 0
        one, spans = self._one, self._output == "spans"
        for document in part:
            answer = one(document)
            count += len(answer[0] if spans else answer)
        return count

    def _count(self, answer: Any) -> int:
        if self._shape == "documents":
            return int(answer)
        if self._shape == "whole":
            return len(self._row(answer))
        return sum(len(ids) for ids in self._batch_rows(answer))

    def _ids(self, part: list[str]) -> Iterable[Ids]:
        """The ids of each unit of a part, by the calls that are timed."""
        if self._shape == "batch":
            return self._batch_rows(self._batch(part))
        return (self._row(self._one(unit)) for unit in part)

    def _row(self, answer: Any) -> Ids:
        return answer[0] if self._output == "spans" else answer

    def _batch_rows(self, answer: Any) -> Iterable[Ids]:
        if self._output == "spans":
            return (ids for ids, _ in answer)
        return answer if self._output == "lists" else self._calls.rows(answer)

    def _above_base(self, found: int | None) -> int | None:
        return None if found is None or self._base_bytes is None else max(0, found - self._base_bytes)


def _documents(path: str, ends: list[int]) -> list[str]:
    """The documents of a file that lie one after the other, by the byte where each ends."""
    data = Path(path).read_bytes()
    return [data[begin:end].decode() for begin, end in zip([0, *ends], ends, strict=False)]


def _array(ids: Ids) -> "np.ndarray[Any, np.dtype[np.uint32]]":
    return np.asarray(ids, np.uint32)


def _list(ids: Ids) -> list[int]:
    found: list[int] = ids.tolist() if hasattr(ids, "tolist") else ids if isinstance(ids, list) else list(ids)
    return found
