"""The list of types by frequency, a page at a time. Not here: the curve over ranks (`coverage`)."""

import numpy as np

from lab_app.analysis.corpus.coverage import Counts, order
from lab_app.analysis.corpus.result import FrequencyRow
from lab_app.engine import Tokenizer


def frequency_rows(tokenizer: Tokenizer, counts: Counts, offset: int, limit: int) -> list[FrequencyRow]:
    """The types of rank `offset` + 1 and after, at most `limit`. `counts` has the occurrences of each id, shape (vocab_size,).

    >>> gpt2 = Tokenizer.builtin("gpt2")
    >>> counts = np.bincount(gpt2.encode_ids("to be or not to be"), minlength=gpt2.vocab_size)
    >>> [(row.rank, row.token, row.count, row.cumulative) for row in frequency_rows(gpt2, counts, 0, 2)]
    [(1, 'Ġbe', 2, 0.3333333333333333), (2, 'Ġto', 1, 0.5)]
    """
    ids = order(counts)
    total = int(counts.sum())
    covered = np.cumsum(counts[ids], dtype=np.uint64)
    return [
        FrequencyRow(
            rank=rank,
            id=id,
            token=tokenizer.id_to_token(id),
            text=tokenizer.token_text(id),
            bytes=tokenizer.token_bytes(id).hex(),
            count=int(counts[id]),
            share=int(counts[id]) / total,
            cumulative=int(covered[rank - 1]) / total,
            unknown=id == tokenizer.unknown_id,
        )
        for rank, id in enumerate(ids[offset : offset + limit].tolist(), offset + 1)
    ]
