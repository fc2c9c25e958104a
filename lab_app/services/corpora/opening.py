"""Opens files that were named on the command line: reads a text, adds a tokenizer, starts a corpus.

Not here: what kind a file is (`file_kinds`), handing the files over (`lab_app.api.window_requests`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lab_app.corpora.options import CorpusOptions
from lab_app.errors import LabError, LoadFailed
from lab_app.jobs.job import Job
from lab_app.library.importing import files_of
from lab_app.services.corpora import corpora
from lab_app.services.corpora.file_kinds import Kind, head_of, is_rank_file, kind_of, read_text
from lab_app.services.lab import Lab
from lab_app.services.tokenizers import tokenizers
from lab_app.services.tokenizers.tokenizers import Problem


@dataclass(frozen=True)
class OpenedFile:
    """A file or folder that was opened, or why it could not be."""

    name: str
    kind: Literal["text", "corpus", "tokenizer", "rank file", "problem"]
    """"rank file": one that the lab does not know, so that its split pattern must be asked for."""
    text: str | None = None
    """Of a text, and of a rank file."""
    encoding: str | None = None
    tokenizer: str | None = None
    """The id of a tokenizer that was added."""
    job: Job | None = None
    """Its result is the corpus."""
    problem: Problem | None = None


@dataclass(frozen=True)
class OpenedFiles:
    """Tokenizers, then a text, then a corpus: the order in which the page shows them."""

    files: list[OpenedFile]


def open_files(lab: Lab, paths: Sequence[Path]) -> OpenedFiles:
    """Opens files and folders, given as full paths. What goes wrong with one is said there, and the others are opened.

    Several texts are one corpus, and so are tables and folders, together with them. A file that belongs to a tokenizer before
    it, such as `merges.txt`, is part of it.
    """
    most_bytes = int(lab.settings.max_request_mb * 1e6)
    opened: list[OpenedFile] = []
    kinds: dict[Path, Kind] = {}
    parts: set[Path] = set()
    for path in dict.fromkeys(paths):
        if path in parts:
            continue
        try:
            kinds[path] = kind_of(path, most_bytes)
            if kinds[path] == "tokenizer":
                parts.update(files_of(path)[0])
                opened.append(_tokenizer(lab, path))
        except LabError as error:
            opened.append(_failed(path, error))
    documents = [path for path, kind in kinds.items() if kind != "tokenizer" and path not in parts]
    texts = [path for path in documents if kinds[path] == "text"]
    if len(texts) == 1:
        documents.remove(texts[0])
        try:
            text, encoding = read_text(texts[0])
            opened.append(OpenedFile(texts[0].name, "text", text=text, encoding=encoding))
        except LabError as error:
            opened.append(_failed(texts[0], error))
    if documents:
        try:
            job = corpora.start_adding(lab, [str(path) for path in documents], CorpusOptions())
            opened.append(OpenedFile(job.title, "corpus", job=job))
        except LabError as error:
            opened.append(_failed(documents[0], error))
    return OpenedFiles(opened)


def _tokenizer(lab: Lab, path: Path) -> OpenedFile:
    """Adds a tokenizer; one whose files are in the lab already is that one. Raises LabError."""
    try:
        added = tokenizers.add_path(lab, path, origin=str(path), numbered=True)
    except LoadFailed:
        if path.is_dir() or not is_rank_file(path, head_of(path)):
            raise
        return OpenedFile(path.name, "rank file", text=read_text(path)[0])
    return OpenedFile(path.name, "tokenizer", tokenizer=added.id)


def _failed(path: Path, error: LabError) -> OpenedFile:
    return OpenedFile(path.name, "problem", problem=Problem(error.message, error.hint))
