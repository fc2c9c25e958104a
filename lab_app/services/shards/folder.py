"""The folder of shards: what was asked for, and the shards that are whole, in `shards.json`.

A shard is listed there when both its files are written, so that an interrupted run goes on with those that are not. Not here:
encoding and shuffling (`lab_app.shards`).
"""

import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from pydantic import Field

from lab_app.corpora.report import ReadReport
from lab_app.engine import Specials
from lab_app.errors import Conflict, LoadFailed, Unavailable, reason
from lab_app.files import replaced
from lab_app.json_text import json_text
from lab_app.locks import try_lock
from lab_app.services.json_files import FileModel, parsed, validated
from lab_app.shards.layouts import Layout, Shard, Width, is_there
from lab_app.version import lab_version

MANIFEST = "shards.json"
LOCK = ".lock"
ORDERED = "ordered"
"""The folder with the shards in the order of the corpus, while they are shuffled."""


SAVE_S = 1.0
"""How often the list is written while shards are: it has a line for each."""

WORDS = {
    "tokenizer": "the tokenizer",
    "tokenizer_sha256": "another content of the tokenizer",
    "corpus": "the corpus",
    "corpus_sha256": "another content of the corpus",
    "cleaning": "the steps of cleaning",
    "end": "the end token",
    "specials": "--specials",
    "layout": "--layout",
    "width": "the type of an ID",
    "shard_bytes": "--shard-size",
    "seed": "--shuffle",
    "version": "another version of the lab",
}
"""The fields of a plan as people know them."""


class Plan(FileModel):
    """What decides every byte of the shards. `end` is the ID after each document; `seed` of the order, None for that of the
    corpus."""

    tokenizer: str
    tokenizer_sha256: str | None
    corpus: str
    corpus_sha256: str
    cleaning: list[str]
    end: int | None
    specials: Specials
    layout: Layout
    width: Width
    shard_bytes: int
    seed: int | None
    version: str = Field(default_factory=lab_version)


class Part(FileModel):
    """A shard in the list, with what was read for it: bytes of text in UTF-8, and documents that were skipped."""

    name: str
    documents: int
    tokens: int
    ids_sha256: str
    index_sha256: str
    text_bytes: int | None = None
    skipped: int | None = None

    @classmethod
    def of(cls, shard: Shard, report: ReadReport | None = None) -> Self:
        """The shard as it is listed; None for what was not read in the order of the corpus."""
        part = cls(**vars(shard))
        if report is not None:
            part.text_bytes, part.skipped = report.bytes, report.skipped
        return part

    @property
    def shard(self) -> Shard:
        """The shard itself."""
        return Shard(self.name, self.documents, self.tokens, self.ids_sha256, self.index_sha256)


class Manifest(FileModel):
    """The content of `shards.json`. `ordered` are the shards in the order of the corpus, which are deleted once they are
    shuffled; without a seed they are the `shards`."""

    plan: Plan
    ordered: list[Part] = Field(default_factory=list)
    shards: list[Part] = Field(default_factory=list)
    complete: bool = False


class ShardFolder:
    """A folder that this process writes to, or reads. Threads may share it."""

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest
        self._lock = threading.Lock()
        self._saved = 0.0

    @property
    def ordered_path(self) -> Path:
        """Where the shards lie in the order of the corpus."""
        return self.path / ORDERED if self.manifest.plan.seed is not None else self.path

    def add_ordered(self, part: Part) -> None:
        """Lists a shard of the first pass."""
        with self._lock:
            self.manifest.ordered.append(part)
            self.manifest.ordered.sort(key=lambda each: (len(each.name), each.name))
            if time.monotonic() > self._saved + SAVE_S:
                self._save()

    def finish(self, shards: list[Part]) -> None:
        """Lists the shards as they are handed over."""
        self.manifest.shards, self.manifest.complete = shards, True
        self._save()

    def save(self) -> None:
        """Writes the list. Raises Unavailable."""
        with self._lock:
            self._save()

    def _save(self) -> None:
        path, self._saved = self.path / MANIFEST, time.monotonic()
        try:
            with replaced(path) as target:
                target.write_text(json_text(self.manifest.model_dump()) + "\n", encoding="utf-8")
        except OSError as error:
            raise Unavailable(
                f"{path} cannot be written: {reason(error)}", "check the permissions and the free space there"
            ) from error


@contextmanager
def opened(path: Path, plan: Plan) -> Iterator[ShardFolder]:
    """The folder for shards of that plan, new or with what an interrupted run left; no other process may write to it.

    Raises Conflict for a folder with other files or other shards, or that another process writes to; Unavailable if it
    cannot be made; LoadFailed for a damaged list.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        if not (path / MANIFEST).exists() and any(each.name != LOCK for each in path.iterdir()):
            raise Conflict(f"{path} has other files in it", "name an empty folder, or one that does not exist yet")
        with _locked(path):
            yield _begun(path, plan)
    except OSError as error:
        raise Unavailable(f"{path} cannot be written: {reason(error)}", "name another folder") from error


def read_folder(path: Path) -> ShardFolder:
    """The folder as it is. Raises LoadFailed if it has no list of shards, or a damaged one."""
    return ShardFolder(path, _read(path / MANIFEST))


def _begun(path: Path, plan: Plan) -> ShardFolder:
    if not (path / MANIFEST).exists():
        folder = ShardFolder(path, Manifest(plan=plan))
        folder.save()
        return folder
    folder = read_folder(path)
    if (name := _difference(folder.manifest.plan, plan)) is not None:
        old, new = getattr(folder.manifest.plan, name), getattr(plan, name)
        values = "" if WORDS[name].startswith("another") else f": {_word(old)}, not {_word(new)}"
        raise Conflict(
            f"the shards in {path} were begun with {WORDS[name]}{values}",
            "give the command that began them, or name another folder",
        )
    _forget_missing(folder)
    return folder


def _word(value: object) -> str:
    return "none" if value in (None, []) else str(value)


def _forget_missing(folder: ShardFolder) -> None:
    """Takes shards from the list whose files are gone or have another size: they are written again. Deletes what a run left
    that was killed."""
    manifest, plan = folder.manifest, folder.manifest.plan
    for place in (folder.path, folder.path / ORDERED):
        for left in place.glob(".tokenlab-*"):  # of a run that was killed
            left.unlink(missing_ok=True)
    if manifest.complete:
        shutil.rmtree(folder.path / ORDERED, ignore_errors=True)
    if manifest.complete and all(
        is_there(folder.path, part.shard, plan.layout, plan.width) for part in manifest.shards
    ):
        return
    place = folder.ordered_path
    manifest.ordered = [part for part in manifest.ordered if is_there(place, part.shard, plan.layout, plan.width)]
    manifest.shards, manifest.complete = [], False


def _difference(one: Plan, other: Plan) -> str | None:
    return next((name for name in Plan.model_fields if getattr(one, name) != getattr(other, name)), None)


def _read(path: Path) -> Manifest:
    def refused(fault: str) -> LoadFailed:
        return LoadFailed(f"{path} is no list of shards: {fault}", "write the shards again, into another folder")

    try:
        content = path.read_bytes()
    except OSError as error:
        raise refused(reason(error)) from error
    return validated(Manifest, parsed(content, refused), refused)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Windows locks no folders, so a file in it is locked."""
    name = path / LOCK
    with name.open("ab") as file:
        if not try_lock(file):
            raise Conflict(
                f"another process writes shards to {path}", "wait until it has ended, or name another folder"
            )
        try:
            yield
        finally:
            if sys.platform != "win32":
                name.unlink(missing_ok=True)
