"""Where a tokenizer cuts a text, as a set of byte positions, so that tokenizers of unrelated vocabularies can be compared.

A set is kept as a mask over the positions, shape (b + 1,): sets of a text are then joined and counted without sorting.
Not here: comparing the sets (`agreement`, `divergence`).
"""

import numpy as np
from numpy.typing import NDArray

from lab_app.analysis.positions import Positions

Spans = NDArray[np.uint32]
Mask = NDArray[np.bool_]


def boundary_mask(spans: Spans, at: Positions, *, ignore_spaces: bool = True) -> Mask:
    """The positions where a token starts or ends, and the two ends of the text, as a mask of shape (b + 1,).

    `spans` are those of the tokens that stand for a part of the text, shape (n, 2); a tokenizer that drops white space
    has both an end before it and a start after it. With `ignore_spaces` a cut beside or inside white space counts at the
    start of it: which token keeps the space is a convention, not a disagreement.

    >>> at = Positions("a bc")
    >>> np.flatnonzero(boundary_mask(np.array([[0, 1], [1, 4]], np.uint32), at)).tolist()  # a| bc
    [0, 1, 4]
    >>> np.flatnonzero(boundary_mask(np.array([[0, 1], [2, 4]], np.uint32), at)).tolist()  # a|bc, the space dropped
    [0, 1, 4]
    """
    mask = np.zeros(at.bytes.size + 1, np.bool_)
    mask[spans[:, 0]] = True
    mask[spans[:, 1]] = True
    mask[[0, -1]] = True
    if ignore_spaces:
        moved = np.flatnonzero(mask & at.behind_space)
        mask[moved] = False
        mask[at.start_of_space[moved]] = True
    return mask
