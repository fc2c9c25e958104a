"""New merges for a byte-pair tokenizer, learned from texts after those that it has.

The trainer makes the old merges first, then goes on; so every text that the old merges leave alone keeps its tokens.
Not here: reading texts, putting the merges into the definition (`joining`).
"""

import json
from collections.abc import Iterable
from itertools import repeat
from typing import Annotated, Any

from lab_app import engine
from lab_app.editing.options import LeastCount
from lab_app.editing.stopping import stoppable
from lab_app.editing.tables import MARK, Definition, Merge, Tables
from lab_app.errors import BadValue
from lab_app.library.definition import definition as definition_of
from lab_app.options import Option

BEAT_MS = 200


def learned(
    definition: Definition,
    texts: Iterable[list[str]],
    tokens: Annotated[int, Option("New tokens")],
    *,
    min_count: LeastCount = 2,
    max_length: Annotated[int | None, Option("Longest token")] = None,
) -> list[Merge]:
    """Learns `tokens` merges from lists of texts; fewer where no pair occurs `min_count` times.

    `max_length`: the most characters (bytes of byte-level ones) of a new token. Raises BadValue for a model without merges,
    and for one whose merges do not follow those of their parts; TrainError.
    """
    tables = Tables.of(definition)
    options = json.dumps(_options(tables, tokens, min_count, max_length), ensure_ascii=False)
    counter = engine.WordCounter(options)
    for some in stoppable(texts):
        counter.add(some, threads=0)
    trainer = engine.Trainer(options, counter)
    made = 0
    # Ends: a call makes at least one merge, or says that none is left.
    for _ in stoppable(repeat(None)):
        batch = json.loads(trainer.run(tokens - made, BEAT_MS))
        made += len(batch["rows"])
        if batch["finished"] or made >= tokens:
            break
    model = (definition_of(trainer.tokenizer()) or {})["model"]
    return Tables.of({"model": model}).merges[len(tables.merges) :]


def _options(tables: Tables, tokens: int, min_count: int, max_length: int | None) -> dict[str, Any]:
    if tables.kind != "BPE":
        raise BadValue(f"{tables.kind} has no merges, and training goes on with merges alone", "choose a BPE base")
    stages = tables.definition
    normalizer, pretokenizer = stages.get("normalizer"), stages.get("pre_tokenizer")
    if pretokenizer is None and tables.marks_spaces:
        # A SentencePiece model sees whole texts; merges are learned within words.
        normalizer = None
        pretokenizer = {"type": "Metaspace", "replacement": MARK, "prepend_scheme": "always", "split": True}
    parts = {token for merge in tables.merges for token in merge}
    made, symbols = set[str](), tables.symbols(parts)
    for merge, product in zip(tables.merges, tables.products(), strict=True):
        part = next((part for part in merge if part not in made and part not in symbols), None)
        if part is not None:
            raise BadValue(
                f'the base has the merge "{merge[0]}" + "{merge[1]}", and no merge before it makes "{part}"',
                "choose a base whose merges stand after those of their parts: training goes on in this order",
            )
        made.add(product)
    alphabet = [] if tables.is_byte_level else sorted(part for part in parts - made if len(part) == 1)
    return {
        "algorithm": "bpe",
        # More than there can be: the steps are counted.
        "vocab_size": len(tables.ids) + tokens + 2_000_000,
        "min_frequency": min_count,
        "special_tokens": [token["content"] for token in tables.added if token["special"]],
        "normalizer": normalizer,
        "pre_tokenizer": pretokenizer,
        "alphabet": "bytes" if tables.is_byte_level else "characters",
        "initial_alphabet": alphabet,
        "continuing_prefix": tables.prefix or None,
        "end_suffix": tables.model.get("end_of_word_suffix") or None,
        "max_token_length": max_length,
        "initial_merges": tables.merges,
    }
