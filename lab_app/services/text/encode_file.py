"""Encodes a text of any size into a file of IDs, or to stdout."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from lab_app.engine import Specials
from lab_app.errors import EncodeFailed, NotFound, Unavailable, reason
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab

StreamFormat = Literal["raw", "text"]
"""IDs of 32 bits each, lowest byte first; or digits with spaces between them."""


class NeedsWholeText(EncodeFailed):
    """The postprocessor does more than put tokens before and after a text, which cannot be encoded in parts."""


def encode_file(
    lab: Lab, id: str, path: Path, output: Path, *, add_special_tokens: bool, specials: Specials, threads: int = 0
) -> int:
    """Writes the ids of the text at `path` to `output`, for numpy if its name ends in .npy; returns how many there are.

    Raises NotFound, Unavailable or LoadFailed for the tokenizer, NotFound for a file that cannot be read, Unavailable where
    `output` cannot be written, EncodeFailed, NeedsWholeText before anything is written.
    """
    _, tokenizer = lab.loaded.get(id)
    with _explained(path, output):
        return tokenizer.encode_file(
            path,
            output,
            add_special_tokens=add_special_tokens,
            specials=specials,
            threads=threads,
            format="npy" if output.suffix == ".npy" else "raw",
        )


def encode_to_stdout(
    lab: Lab,
    id: str,
    path: Path | None,
    format: StreamFormat,
    beginning: bytes = b"",
    *,
    add_special_tokens: bool,
    specials: Specials,
    threads: int = 0,
) -> int:
    """Writes the IDs of the text at `path`, or of `beginning` and what is left of stdin, to stdout; returns how many there are.

    Raises as `encode_file` does, and BrokenPipeError where nobody reads stdout any longer.
    """
    _, tokenizer = lab.loaded.get(id)
    with _explained(path, Path("stdout")):
        return tokenizer.encode_to_stdout(
            path,
            head=beginning,
            add_special_tokens=add_special_tokens,
            specials=specials,
            threads=threads,
            format=format,
        )


@contextmanager
def _explained(path: Path | None, output: Path) -> Iterator[None]:
    try:
        with translate_engine_errors():
            yield
    except EncodeFailed as error:
        if "`add_special_tokens`" not in error.hint:
            raise
        raise NeedsWholeText(error.message, error.hint, on_terminal="give --no-special-tokens") from error
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename == str(path):
            raise NotFound(f"{path} cannot be read: {reason(error)}", "give the path of a text file") from error
        raise Unavailable(
            f"{output} cannot be written: {reason(error)}",
            "check the permissions and the free space there, or name another file",
        ) from error
