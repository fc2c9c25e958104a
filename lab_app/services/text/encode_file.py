"""Encodes a file of any size into a file of ids."""

from pathlib import Path

from lab_app.engine import Specials
from lab_app.errors import NotFound, Unavailable, reason
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab


def encode_file(
    lab: Lab, id: str, path: Path, output: Path, *, add_special_tokens: bool, specials: Specials, threads: int = 0
) -> int:
    """Writes the ids of the text at `path` to `output`, for numpy if its name ends in .npy; returns how many there are.

    Raises NotFound, Unavailable or LoadFailed for the tokenizer, NotFound for a file that cannot be read, Unavailable where
    `output` cannot be written, EncodeFailed.
    """
    _, tokenizer = lab.loaded.get(id)
    try:
        with translate_engine_errors():
            return tokenizer.encode_file(
                path,
                output,
                add_special_tokens=add_special_tokens,
                specials=specials,
                threads=threads,
                format="npy" if output.suffix == ".npy" else "raw",
            )
    except OSError as error:
        if error.filename == str(path):
            raise NotFound(f"{path} cannot be read: {reason(error)}", "give the path of a text file") from error
        raise Unavailable(
            f"{output} cannot be written: {reason(error)}",
            "check the permissions and the free space there, or name another file",
        ) from error
