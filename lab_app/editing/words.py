"""Edits that add tokens: words with the merges they need, added and special tokens, other names.

A word is one token afterwards. Merges are put after all others, so that every text in which none of them applies keeps its
tokens. Not here: merges from a corpus, tokens of another tokenizer (`joining`).
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from lab_app.editing.segments import Merging, best_score
from lab_app.editing.stages import Pretokens
from lab_app.editing.stopping import stoppable
from lab_app.editing.tables import MARK, SHOWN, Definition, Tables, byte_alphabet, named
from lab_app.errors import BadValue
from lab_app.library.recipe import Recipe, compose
from lab_app.number_words import number_of, thin
from lab_app.options import Option

ABOVE = 0.01
"""How far above its parts, as a natural logarithm, a word of Unigram stands without a score of its own."""
LONGEST = 200
"""The most characters of a word, bytes of byte-level ones: its merges are found one by one."""
MOST_MERGES = 1_000_000
"""New merges of one edit: each word has as many as it has characters, and all stay in memory."""
BELOW = 10.0
"""How far below the least score an added token stands that Unigram must list."""


def add_words(
    definition: Definition,
    words: Annotated[Sequence[str], Option("Words, one per line")],
    *,
    after_space: Annotated[bool, Option("After a space, as in running text")] = True,
    score: Annotated[float | None, Option("Score (natural logarithm)")] = None,
) -> dict[str, Any]:
    """Adds words, each as the one token that a text with it gives; those that are one token already change nothing.

    `after_space`: as the word stands in running text, after a space, where the vocabulary tells the two apart. `score`: of
    Unigram, a natural logarithm; without it, just above the parts. Tokens that new words would split get more, too.
    Raises BadValue.

    >>> bytes_of = {letter: id for id, letter in enumerate("Ġlow")}
    >>> lower = {"model": {"type": "BPE", "vocab": bytes_of, "merges": []}, "decoder": {"type": "ByteLevel"},
    ...          "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True}}
    >>> add_words(lower, ["low"])["model"]["merges"]
    [('Ġ', 'l'), ('Ġl', 'o'), ('Ġlo', 'w')]
    """
    tables = Tables.of(definition)
    if score is not None and not tables.scores:
        raise BadValue(f"score is {score}, and {tables.kind} has none", "leave it out")
    pretokens = Pretokens(definition)
    spellings = [_spelling(tables, pretokens, word, after_space) for word in stoppable(words)]
    adding = {"BPE": _with_merges, "Unigram": _with_scores}.get(tables.kind, _with_entries)
    return adding(tables, spellings, score).to_definition()


def add_tokens(
    definition: Definition,
    tokens: Annotated[Sequence[str], Option("Tokens, one per line")],
    *,
    special: Annotated[bool, Option("Special tokens")] = False,
) -> dict[str, Any]:
    """Adds tokens that texts are searched for before all else; special ones have a control meaning. Raises BadValue.

    >>> add_tokens({"model": {"vocab": {"a": 0}}}, ["<user>"], special=True)["added_tokens"][0]["id"]
    1
    """
    field = "special_tokens" if special else "added_tokens"
    return Tables.of(compose(definition, Recipe.of({"base": "the base", field: list(tokens)}))).to_definition()


def rename_token(
    definition: Definition,
    token: Annotated[str | int, Option("Token")],
    to: Annotated[str, Option("New text")],
    *,
    special: Annotated[bool | None, Option("Special token")] = None,
) -> dict[str, Any]:
    """Gives a token another text and keeps its ID. `special`: makes it an added token, special or not.

    Raises BadValue for a text that is taken, and for a token that merges make or use.

    >>> renamed = rename_token({"model": {"type": "WordPiece", "vocab": {"[unused1]": 0}}}, "[unused1]", "<user>", special=True)
    >>> renamed["model"]["vocab"], renamed["added_tokens"][0]["special"]
    ({'<user>': 0}, True)
    """
    tables = Tables.of(definition)
    [old] = tables.find([token])
    if not to or to in tables.all_ids():
        raise BadValue(f'"{to}" is a token already' if to else "the new text is empty", "choose another text")
    if any(old in merge or tables.product(merge) == old for merge in tables.merges):
        raise BadValue(
            f'"{old}" is made by merges or part of them', "rename only added tokens and those without merges"
        )
    id = tables.all_ids()[old]
    added = [{**each, "content": to} if each["content"] == old else each for each in tables.added]
    if special is not None and all(each["id"] != id for each in added):
        flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": not special}
        added.append({"id": id, "content": to, **flags, "special": special})
    elif special is not None:
        added = [{**each, "special": special} if each["id"] == id else each for each in added]
    ids = {to if each == old else each: id for each, id in tables.ids.items()}
    scores = {to if each == old else each: score for each, score in tables.scores.items()}
    stages = {
        name: _renamed(tables.definition[name], old, to)
        for name in ("post_processor", "padding")
        if tables.definition.get(name) is not None
    }
    model = {**tables.model, "unk_token": to} if tables.model.get("unk_token") == old else tables.model
    changed = {**tables.definition, **stages, "model": model}
    return replace(tables, definition=changed, ids=ids, scores=scores, added=added).to_definition()


def _renamed(stage: Any, old: str, to: str) -> Any:
    return json.loads(json.dumps(stage).replace(json.dumps(old), json.dumps(to)))


def _spelling(tables: Tables, pretokens: Pretokens, word: str, after_space: bool) -> str:
    """The one pretoken of a word, as the model reads it."""
    if not word.strip():
        raise BadValue("a word is empty", "remove it from the list")
    text = f" {word}" if after_space and tables.is_byte_level and not word.startswith(" ") else word
    found = pretokens.of(text)
    if len(found) != 1:
        parts = " and ".join(f'"{_shown(tables, part)}"' for part in found) or "nothing"
        raise BadValue(f'the stages before the model make {parts} of "{word}"', "add each of them as a word, or none")
    most = min(LONGEST, tables.model.get("max_input_chars_per_word") or LONGEST)
    if len(found[0]) > most:
        unit = "byte" if tables.is_byte_level else "character"
        raise BadValue(
            f'"{word[:SHOWN]}…" has {number_of(len(found[0]), unit)}', f"give words of at most {number_of(most, unit)}"
        )
    if tables.is_byte_level or not tables.marks_spaces:
        return found[0]
    bare = found[0].lstrip(MARK)
    if MARK in bare:
        raise BadValue(f'"{word}" has a space inside', "add each word alone")
    return MARK + bare if after_space else found[0]


def _shown(tables: Tables, spelling: str) -> str:
    if not tables.is_byte_level:
        return spelling
    bytes_of = {character: byte for byte, character in enumerate(byte_alphabet())}
    return bytes(bytes_of[character] for character in spelling).decode(errors="replace")


def _with_merges(tables: Tables, spellings: Sequence[str], score: float | None) -> Tables:
    merging = Merging(tables)
    ids, merges, next_id = dict(tables.ids), list(tables.merges), tables.next_id()
    specials = {token["content"] for token in tables.added}

    def put(token: str) -> None:
        nonlocal next_id
        if token not in ids:
            ids[token], next_id = next_id, next_id + 1

    for spelling in stoppable(spellings):
        if len(merges) - len(tables.merges) > MOST_MERGES:
            raise BadValue(f"the words need more than {thin(MOST_MERGES)} merges", "give fewer or shorter ones")
        if spelling in specials:
            raise BadValue(f'"{spelling}" is an added token', "remove it from the words")
        symbols = merging.symbols(spelling)
        for symbol in symbols:
            put(symbol)
        # Ends: every round joins the first two tokens. All other merges come before the new one, so it goes on from them.
        while len(tokens := merging.merged(symbols)[0]) > 1:
            merge = (tokens[0], tokens[1])
            merging.append(merge)
            merges.append(merge)
            put(tables.product(merge))
    return replace(tables, ids=ids, merges=merges)


def _with_scores(tables: Tables, spellings: Sequence[str], score: float | None) -> Tables:
    old = listed(tables)
    ids, scores = dict(old.ids), dict(old.scores)
    new = [spelling for spelling in dict.fromkeys(spellings) if spelling not in ids]
    ids.update(zip(new, range(len(ids), len(ids) + len(new)), strict=True))
    made, least, lost = replace(old, ids=ids, scores=scores), min(scores.values()), []
    # The shortest first: those that a token has as parts have their scores.
    in_order = sorted({*spellings, *_around(old, new)}, key=lambda spelling: (len(spelling), spelling))
    for spelling in stoppable(in_order):
        parts = best_score(made, spelling)
        if spelling in old.ids or score is None:
            above = min(least, 0.0) if parts is None else parts[0] + ABOVE
            if spelling not in old.ids or scores[spelling] < above - ABOVE / 2:
                scores[spelling] = above
        else:
            scores[spelling] = score
            if parts is not None and parts[0] >= score:
                lost.append(f"{spelling} ({parts[0]:.2f})")
    if lost:
        raise BadValue(
            f"with a score of {score} the parts still win: {named(lost)}", "raise it above theirs, or leave it out"
        )
    return made


def _around(tables: Tables, new: Sequence[str]) -> list[str]:
    """The tokens that have one of `new` as a part, and that a text of theirs gives now."""
    words, sizes = set(new), sorted({len(spelling) for spelling in new})
    around = (
        token
        for token in stoppable(tables.scores)
        if any(token[at : at + size] in words for size in sizes for at in range(len(token) - size + 1))
    )
    parts = ((token, best_score(tables, token)) for token in around)
    return [token for token, best in parts if best is None or tables.scores[token] >= best[0] + ABOVE / 2]


def listed(tables: Tables) -> Tables:
    """Unigram with its added tokens in the list, where new ones would take their places. Raises BadValue."""
    ids, scores = dict(tables.ids), dict(tables.scores)
    for token in sorted(tables.added, key=lambda token: token["id"]):
        if token["content"] in ids:
            continue
        if token["id"] != len(ids):
            raise BadValue(
                f'the added token "{token["content"]}" has the ID {token["id"]}, and the vocabulary ends at {len(ids) - 1}',
                "remove it first: Unigram lists tokens by place",
            )
        ids[token["content"]], scores[token["content"]] = len(ids), min(scores.values()) - BELOW
    return replace(tables, ids=ids, scores=scores)


def _with_entries(tables: Tables, spellings: Sequence[str], score: float | None) -> Tables:
    ids, next_id = dict(tables.ids), tables.next_id()
    for spelling in spellings:
        if spelling not in ids:
            ids[spelling], next_id = next_id, next_id + 1
    return replace(tables, ids=ids)
