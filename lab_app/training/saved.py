"""What a training has on the disk: the names of its files, its tokenizer, and what its text is known by when it resumes.

Not here: writing them (`run`), the checkpoint (`checkpoint`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lab_app import engine
from lab_app.corpora.corpus import Corpus, CorpusFile
from lab_app.errors import TrainFailed, Unavailable, reason
from lab_app.library.importing import read
from lab_app.training import checkpoint, output
from lab_app.training.checkpoint import Checkpoint
from lab_app.training.sources import Text

HELD_OUT = "held_out.json"
STEPS = "steps.jsonl"
READING = 2
"""Raised when units of a text come to be read in another way: counts of some of them do not go with the others then."""


def tokenizer_in(folder: Path) -> engine.Tokenizer | None:
    """The tokenizer of a training that has ended: its file, or that of the last step in the checkpoint; None without both.

    Raises LoadFailed.
    """
    if (folder / output.MAIN).is_file():
        return read(folder / output.MAIN)
    if checkpoint.exists(folder):
        kept = Checkpoint.read(folder)
        if kept.stage == "merge":
            with in_words():
                return engine.Trainer.resume(kept.data).tokenizer()
    return None


def text_files(text: Text) -> list[CorpusFile]:
    """The files of a text that were not added to the lab as a corpus."""
    return [file for source in text.sources if isinstance(source, Corpus) and not source.id for file in source.files]


def fingerprint(text: Text) -> list[Any]:
    """What a text is known by: the paths, sizes and times of its files, or the sizes of its texts; and how it is read."""
    return [
        [[file.path, file.size_bytes, file.modified_ns] for file in source.files]
        if isinstance(source, Corpus)
        else [len(each) for each in source]
        for source in text.sources
    ] + [text.sample_bytes, READING]


@contextmanager
def in_words() -> Iterator[None]:
    """Turns the engine's errors of training into the lab's."""
    try:
        yield
    except engine.TrainError as error:
        problem, mark, hint = str(error).rpartition("; ")
        raise TrainFailed(problem if mark else hint, hint if mark else "") from error
    except engine.EncodeError as error:
        raise TrainFailed(error.problem, error.hint) from error


def not_written(folder: Path, error: OSError) -> Unavailable:
    """The error for a folder of a training that cannot be written to."""
    return Unavailable(f"{folder} cannot be written to: {reason(error)}", "make room there, or check its permissions")
