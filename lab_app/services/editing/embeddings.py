"""The embeddings of a model for an edited tokenizer: rows copied, and new ones made of their parts, in a safetensors file.

Not here: which row comes from where (`lab_app.editing.rows`), finding the tensors (`lab_app.library.embeddings`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lab_app.editing.rows import Row
from lab_app.errors import BadValue
from lab_app.files import check_free, written
from lab_app.library.embeddings import Embeddings, find_embeddings

if TYPE_CHECKING:
    from numpy.typing import NDArray


def write_embeddings(
    made: Sequence[Row],
    model: Path,
    out: Path,
    *,
    input: str | None = None,
    output: str | None = None,
    force: bool = False,
) -> list[str]:
    """Writes the input and output embeddings of `model`, a .safetensors file or a folder, with the rows of a map.

    A new row is the weighted mean of its parts, in float32; without parts, the mean of all rows. IDs without a token keep
    the row that they had. Returns the names of the tensors. Raises Conflict if `out` exists, BadValue for tensors with
    fewer rows than the base has, and as `find_embeddings` does.
    """
    check_free(out, force=force)
    from safetensors.numpy import save_file

    found = [each for each in find_embeddings(model, input=input, output=output) if each is not None]
    if any(out.exists() and out.samefile(each.file) for each in found):
        raise BadValue(f"{out} is the model's own file", "give another name: all its other weights would be lost")
    tensors = {each.name: rows_of(made, _whole(each), each.name) for each in found}
    with written(out, force=force) as target:
        save_file(tensors, target)
    return list(tensors)


def rows_of(made: Sequence[Row], old: "NDArray[Any]", name: str = "the tensor") -> "NDArray[Any]":
    """The rows of a new embedding, of the type of `old`; shapes (rows, width).

    >>> old = np.array([[1.0], [3.0]])
    >>> rows_of([Row("a", 1, 0, "copied", [(1, 1.0)]), Row("ab", None, 1, "mean of parts", [(0, 0.5), (1, 0.5)])], old)
    array([[3.],
           [2.]])
    """
    least = 1 + max((part for row in made for part, _ in row.parts), default=-1)
    if least > len(old):
        raise BadValue(f"{name} has {len(old)} rows, and the base has tokens up to {least - 1}", "give its own model")
    size = 1 + max((row.new for row in made if row.new is not None), default=-1)
    new = np.zeros((size, old.shape[1]), old.dtype)
    new[: len(old)] = old[:size]
    copied = np.array([(row.new, row.old) for row in made if row.kind == "copied"], np.int64).reshape(-1, 2)
    new[copied[:, 0]] = old[copied[:, 1]]
    mean = None
    for row in made:
        if row.kind == "mean of parts":
            parts, weights = zip(*row.parts, strict=True)
            new[row.new] = np.array(weights, np.float32) @ old[list(parts)].astype(np.float32)
        elif row.kind == "without parts":
            mean = old.astype(np.float32).mean(axis=0) if mean is None else mean
            new[row.new] = mean
    return new


def _whole(found: Embeddings) -> "NDArray[Any]":
    """The tensor as it is stored."""
    import ml_dtypes  # noqa: F401 - numpy knows bfloat16 once this is imported
    from safetensors import safe_open

    with safe_open(found.file, "np") as file:
        return np.asarray(file.get_tensor(found.name))
