"""Runs the table: a process per row and tokenizer, in which all libraries take turns; each result is kept as it comes.

A library that ends its process is named, and the others are measured again without it.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from lab_app.benchmarks.environment import environment
from lab_app.benchmarks.process import THREAD_VARIABLES
from lab_app.benchmarks.speed import noise
from tests.performance.engine.libraries import CRATES, Libraries
from tests.performance.engine.material import Materials
from tests.performance.engine.rows import MIXED, OURS, Case
from tests.performance.engine.verdict import Measured, Row, row
from tests.performance.texts import shared_data, workloads

LIMIT_S = 900
ALONE_ROUNDS = 5
MEMORY_MEGABYTES = 4.0
CHILD = [sys.executable, "-m", "tests.performance.engine.child"]
OPENAI = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
OWN_COPIES = ("cl100k_base", "o200k_base")
"""Vocabularies that some libraries look for in a folder of downloads."""


@dataclass(frozen=True)
class Options:
    """What a run was asked for."""

    rounds: int = 9
    megabytes: float = 2.0
    quick: bool = False
    folders: Sequence[str] = ()
    """Folders of libraries."""
    next_release: str | None = None
    vocabularies: Path | None = None


@dataclass
class Result:
    """A run. Its JSON has these fields."""

    environment: dict[str, Any]
    noise_spread: float
    versions: dict[str, str | None]
    settings: dict[str, Any]
    texts: dict[str, dict[str, Any]] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    """What a tokenizer is made of, if it is a stand-in."""
    rows: list[dict[str, Any]] = field(default_factory=list)
    elapsed_s: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    def write(self, path: Path) -> None:
        """Writes beside the file and renames, so that there is always a whole one."""
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(path.name + ".new")
        new.write_text(json.dumps(self.as_json(), indent=1) + "\n", encoding="utf-8")
        new.replace(path)


class Run:
    """Measures cases and keeps them in a file."""

    def __init__(self, options: Options, folder: Path, out: Path) -> None:
        self.options = options
        self.out = out
        self._folder = folder
        self._libraries = Libraries(options.folders, options.next_release)
        self._materials = Materials(folder / "vocabularies", shared_data(), options.vocabularies)
        self._texts: dict[float, dict[str, str]] = {}
        self._began = time.monotonic()
        versions = {name: self._libraries.version(name) for name in self._libraries.names()}
        settings = {"rounds": options.rounds, "megabytes": options.megabytes, "quick": options.quick}
        self.result = Result(asdict(environment()), noise.measure().spread, versions, settings)

    def run(self, cases: Iterable[Case]) -> Result:
        """Measures cases, those of one row and tokenizer in one process."""
        here = set(self._paths(0.001)) | {MIXED}
        for (name, tokenizer), group in groupby(
            [case for case in cases if case.text in here or case.text not in {"english", "multilingual", "generated"}],
            key=lambda case: (case.row, case.tokenizer),
        ):
            began = time.monotonic()
            print(f"{name} {tokenizer} ...", end="", file=sys.stderr, flush=True)
            self._keep(self._of_group(list(group)))
            print(f" {time.monotonic() - began:.0f} s", file=sys.stderr)
        return self.result

    def _keep(self, rows: list[Row]) -> None:
        self.result.rows.extend(asdict(each) for each in rows)
        self.result.elapsed_s = round(time.monotonic() - self._began, 1)
        self.result.write(self.out)

    def _of_group(self, cases: list[Case]) -> list[Row]:
        material = self._materials.get(cases[0].tokenizer)
        if material.files is None:
            return [row(case, [], material.note) for case in cases]
        if material.note:
            self.result.notes[cases[0].tokenizer] = material.note
        if cases[0].measure in ("load", "memory"):
            return [self._alone(case) for case in cases]
        base: dict[str, Any] = self._base(cases[0]) | {
            "cases": [
                {
                    "measure": case.measure,
                    "text": case.text,
                    "rounds": self.options.rounds,
                    "paths": self._paths_of(case),
                    "libraries": self._usable(case),
                }
                for case in cases
            ],
            "threads": 2 if cases[0].row == "threads" else None,
        }
        if cases[0].row == "others":
            beside = self._materials.get("cl100k_base").files
            base["beside"] = None if beside is None else asdict(beside)
        found, problem = self._asked(base)
        return [
            row(case, [*found.get(number, []), *self._unusable(case)], None if number in found else problem)
            for number, case in enumerate(cases)
        ]

    def _asked(self, job: dict[str, Any]) -> tuple[dict[int, list[Measured]], str | None]:
        """The answers by number of the case; why some are missing. Goes on without a library that ends the process."""
        crashed: dict[str, str] = {}
        found: dict[int, list[Measured]] = {}
        while True:
            answer, last, problem = _child(job | {"crashed": crashed}, self._environment(job))
            for event in answer:
                if "case" in event:
                    found[event["case"]] = [_measured(each) for each in event["measured"]]
            if problem is None:
                return found, None
            if last is None or last == OURS or last in crashed:
                return found, problem
            crashed[last] = problem

    def _alone(self, case: Case) -> Row:
        """A process per library and round."""
        libraries = self._usable(case)
        samples: dict[str, list[float | None]] = {name: [] for name in libraries}
        problems: dict[str, str] = {}
        paths = self._paths_of(case) if case.measure == "memory" else [None]
        for _ in range(min(self.options.rounds, ALONE_ROUNDS)):
            for name in libraries:
                if name in problems:
                    continue
                job = self._base(case) | {"library": name, "path": paths[0]}
                answer, _, problem = _child(job, self._environment(job))
                if problem is not None or not answer:
                    problems[name] = problem or "no answer"
                else:
                    samples[name].append(float(answer[-1]["bytes" if case.measure == "memory" else "elapsed_ns"]))
        measured = [
            Measured(name, "failed", problems[name])
            if name in problems
            else Measured(name, "measured", None, tuple(times))
            for name, times in samples.items()
        ]
        return row(case, [*measured, *self._unusable(case)])

    def _base(self, case: Case) -> dict[str, Any]:
        files = self._materials.get(case.tokenizer).files
        assert files is not None
        return {
            "files": asdict(files),
            "folders": list(self.options.folders),
            "next_release": self.options.next_release,
        }

    def _wanted(self, case: Case) -> list[str]:
        """Libraries of a case, ours first; a quick run has those of the floor alone."""
        names = self._libraries.names()
        if case.peers == ():
            return [OURS]
        installable = [name for name in names if name not in CRATES]
        wanted = set(case.named()) | (
            set() if self.options.quick else set(installable if case.peers is None else case.peers)
        )
        return [name for name in names if name == OURS or name in wanted]

    def _usable(self, case: Case) -> list[str]:
        files = self._materials.get(case.tokenizer).files
        assert files is not None
        return [name for name in self._wanted(case) if self._libraries.problem(name, files) is None]

    def _unusable(self, case: Case) -> list[Measured]:
        """Why others are not measured; those that cannot read the tokenizer only if the row names them."""
        files = self._materials.get(case.tokenizer).files
        assert files is not None
        found = []
        for name in self._wanted(case):
            problem = self._libraries.problem(name, files)
            named = name in (case.peers or ()) or name in case.named()
            if problem is not None and (problem[0] == "missing" or named):
                state: Any = problem[0]
                found.append(Measured(name, state, problem[1]))
        return found

    def _paths_of(self, case: Case) -> list[str]:
        megabytes = MEMORY_MEGABYTES if case.measure == "memory" else self.options.megabytes * case.megabytes
        paths = self._paths(megabytes)
        if case.text == MIXED:
            return [path for name, path in paths.items() if name != "code" or "english" not in paths]
        if case.text in ("20 bytes", "1 kB") or (case.measure == "memory" and case.text not in paths):
            return [paths.get("english", paths.get("generated", ""))]
        return [paths[case.text]] if case.text in paths else []

    def _paths(self, megabytes: float) -> dict[str, str]:
        if megabytes not in self._texts:
            self._texts[megabytes] = {}
            for name, text in workloads(int(megabytes * 1e6)):
                path = self._folder / f"{name}-{megabytes:g}.txt"
                path.write_text(text, encoding="utf-8", newline="")
                self._texts[megabytes][name] = str(path)
                if megabytes == self.options.megabytes:
                    self.result.texts[name] = {"bytes": len(text.encode()), "characters": len(text)}
        return self._texts[megabytes]

    def _environment(self, job: dict[str, Any]) -> dict[str, str]:
        threads = str(job.get("threads") or 1)
        return {
            **os.environ,
            **dict.fromkeys(THREAD_VARIABLES, threads),
            "TOKENIZERS_PARALLELISM": "false" if threads == "1" else "true",
            **self._downloads(),
        }

    def _downloads(self) -> dict[str, str]:
        """Folders in which libraries look for what they would download, filled from the engine's own vocabularies."""
        ours, words = self._folder / "tiktoken", self._folder / "wordchipper"
        for name in OWN_COPIES:
            files = self._materials.get(name).files
            assert files is not None and files.rank_file is not None
            ranks = Path(files.rank_file).read_bytes()
            for path in (
                ours / hashlib.sha1(OPENAI.format(name).encode()).hexdigest(),
                words / "openai" / name / f"{name}.tiktoken",
            ):
                if not path.exists():
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(ranks)
        return {"TIKTOKEN_CACHE_DIR": str(ours), "WORDCHIPPER_CACHE_DIR": str(words)}


def run(options: Options, cases: Iterable[Case], out: Path) -> Result:
    """Measures cases; `out` is the JSON file, written anew after each row."""
    with tempfile.TemporaryDirectory(prefix="tokenlab-bench-") as folder:
        return Run(options, Path(folder), out).run(cases)


def _child(job: dict[str, Any], environment: dict[str, str]) -> tuple[list[dict[str, Any]], str | None, str | None]:
    """The events of a process, the library that it touched last, and how it ended if it did not end well."""
    process = subprocess.Popen(
        CHILD, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True
    )
    late = threading.Event()

    def end() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(LIMIT_S, end)
    timer.start()
    try:
        printed, errors = process.communicate(json.dumps(job))
    except BaseException:
        process.kill()
        raise
    finally:
        timer.cancel()
    events, last = [], None
    for line in printed.splitlines():
        try:
            event = json.loads(line)
        except ValueError:  # a library prints
            continue
        if isinstance(event, dict):
            events.append(event)
            last = event.get("touch", last)
    if process.returncode == 0:
        return events, last, None
    if late.is_set():
        return events, last, f"took longer than {LIMIT_S} s"
    words = errors.strip().splitlines()[-1:] or [""]
    return events, last, f"its process ended with status {process.returncode}: {words[0]}"[:300]


def _measured(fields: dict[str, Any]) -> Measured:
    return Measured(**{**fields, "samples": tuple(fields["samples"])})
