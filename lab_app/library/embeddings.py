"""The embeddings of a model: one or two tensors of a safetensors file, found by their names and read in blocks of rows.

Nothing else of the model is loaded. Not here: what the rows say of tokens (`lab_app.analysis.undertrained`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lab_app.errors import BadValue, NotFound, reason

INPUT_ENDINGS = (
    "embed_tokens.weight",
    "wte.weight",
    "word_embeddings.weight",
    "tok_embeddings.weight",
    "embed_in.weight",
    "shared.weight",
)
"""How names of the tensor end that turns IDs into vectors. The first ending that fits decides."""

OUTPUT_ENDINGS = ("lm_head.weight", "embed_out.weight", "output.weight")
"""How names of the tensor end that scores the next token. Models without one use the first tensor for both."""

FLOATS = ("BF16", "F16", "F32", "F64")
BLOCK_BYTES = 1 << 26
"""The size of a block of rows, as 32-bit floats."""


@dataclass(frozen=True)
class Embeddings:
    """A matrix of a model: a row per token, in the order of IDs."""

    file: Path
    name: str
    rows: int
    width: int

    def blocks(self) -> Iterator[NDArray[np.float32]]:
        """The rows in order, float32, each block of shape (some, `width`)."""
        import ml_dtypes  # noqa: F401 - numpy knows bfloat16 once this is imported
        from safetensors import safe_open

        some = max(1, BLOCK_BYTES // (4 * self.width))
        with safe_open(self.file, "np") as file:
            tensor = file.get_slice(self.name)
            for start in range(0, self.rows, some):
                yield tensor[start : min(start + some, self.rows)].astype(np.float32)


def find_embeddings(
    path: Path, *, input: str | None = None, output: str | None = None
) -> tuple[Embeddings, Embeddings | None]:
    """The input and the output embeddings in a .safetensors file, or in the parts of a model in one folder.

    `input` and `output` name the tensors where their usual names are not found. The second is None if the model has none of its own.

    Raises NotFound where there is no such file or tensor, BadValue for a damaged file and for tensors that are no embeddings.
    """
    tensors = _tensors(path)
    first = _chosen(tensors, path, "input", input, INPUT_ENDINGS)
    if first is None:
        raise NotFound(f"no tensor in {path} has a usual name of embeddings", "name the tensor of input embeddings")
    return first, _chosen(tensors, path, "output", output, OUTPUT_ENDINGS)


def _tensors(path: Path) -> dict[str, Path]:
    """The file of each tensor, by name."""
    from safetensors import SafetensorError, safe_open

    files = sorted(path.glob("*.safetensors")) if path.is_dir() else [path]
    if not files:
        raise NotFound(f"{path} has no .safetensors file", "give a model's folder, or a .safetensors file")
    found: dict[str, Path] = {}
    for each in files:
        try:
            with safe_open(each, "np") as file:
                names = list(file.keys())
                twice = next((name for name in names if name in found), None)
                if twice is not None:
                    raise BadValue(
                        f"{found[twice]} and {each} both have {twice}", "give the file of the two that is the model's"
                    )
                found |= dict.fromkeys(names, each)
        except SafetensorError as error:
            raise BadValue(f"{each} is no safetensors file: {error}", "download it again") from error
        except OSError as error:
            raise NotFound(f"{each} cannot be read: {reason(error)}", "give the path of a .safetensors file") from error
    return found


def _chosen(
    tensors: dict[str, Path], path: Path, option: str, asked: str | None, endings: tuple[str, ...]
) -> Embeddings | None:
    if asked is not None:
        names = [asked]
        if asked not in tensors:
            raise NotFound(f'{path} has no tensor "{asked}"', f"choose one, such as {', '.join(sorted(tensors)[:8])}")
    else:
        fitting = ([name for name in tensors if f".{name}".endswith(f".{ending}")] for ending in endings)
        names = next((some for some in fitting if some), [])
    if len(names) > 1:
        raise BadValue(f"{', '.join(sorted(names))} may be the embeddings", f"name the tensor of {option} embeddings")
    return _embeddings(tensors[names[0]], names[0]) if names else None


def _embeddings(file: Path, name: str) -> Embeddings:
    from safetensors import safe_open

    with safe_open(file, "np") as opened:
        tensor = opened.get_slice(name)
        shape, kind = tensor.get_shape(), tensor.get_dtype()
    if len(shape) != 2 or 0 in shape:
        raise BadValue(f"{name} has the shape {shape}", "embeddings have rows and columns; name another tensor")
    if kind not in FLOATS:
        raise BadValue(f"{name} has values of type {kind}", f"give weights of one of {', '.join(FLOATS)}")
    return Embeddings(file, name, *shape)
