"""Tasks that carry out a step of an algorithm, or foretell what it comes to. The lessons of the engine have the answers."""

import json
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from lab_app.engine import Tokenizer
from lab_app.number_words import number_of
from lab_app.services.exercises.boundaries import placeable
from lab_app.services.exercises.task import Drawing, Line, Solved, Task, parts_of, shown
from lab_app.services.lessons.frames import states
from lab_app.spelling import spelled

CHARACTERS_PER_TOKEN = 4
"""The rule of thumb for English."""

MOST_WORDS = 5
"""Of a text whose boundaries are placed."""

TRAINED_WORDS = 5
LONGEST_TRAINED = 7
"""Letters of a word: people count the pairs."""
LEARNT = 6
MOST_PAIRS = 4
"""Choices."""
PRUNED_WORDS, PRUNED_TO = 12, 4
"""Words, and the tokens beside the characters that are left of them."""
LEAST = 0.01
"""Differences that people see in two digits."""
MOST_TRAININGS = 20
"""Draws of words, until a pair is before all others."""

State = tuple[dict[str, Any], dict[str, list[Any]]]


def next_merge(drawing: Drawing) -> Solved | None:
    """Which pair BPE merges next."""
    return drawing.first(drawing.some(drawing.material.words), lambda word: _next_merge(drawing, word))


def _next_merge(drawing: Drawing, word: str) -> Solved | None:
    tokenizer = drawing.tokenizers[drawing.id]
    found = _states(tokenizer, word)
    if any(each["id"] is None for _, lists in found for each in lists["symbols"]):
        return None
    numbers = [
        n for n, (_, lists) in enumerate(found[:-1]) if found[n + 1][0]["step"] == "merge" and _has_one_lowest(lists)
    ]
    if not numbers:
        return None
    n = drawing.chance.choice(numbers)
    (_, lists), (merge, _) = found[n], found[n + 1]
    ranks = _ranks(lists)
    names = [_spelled(tokenizer, each["id"]) for each in lists["symbols"]]
    pairs = {at: Line(f"{names[at]} + {names[at + 1]}", f"rank {rank}") for at, rank in ranks.items()}
    best = pairs[merge["at"]]
    choices = [*dict.fromkeys(pairs.values())]
    return Solved(
        Task(
            "next-merge",
            drawing.id,
            word,
            f"{drawing.id} has “{shown(names)}” of “{word}”. Which pair does it merge next?",
            [],
            choices,
        ),
        choices.index(best),
        f"The lowest rank comes first: {best.text} has {best.note}.",
        [f"{each.text} has {each.note}." for each in choices],
    )


def first_token(drawing: Drawing) -> Solved | None:
    """Which token WordPiece takes first."""
    return drawing.first(drawing.some(drawing.material.words), lambda word: _first_token(drawing, word))


def _first_token(drawing: Drawing, word: str) -> Solved | None:
    tokenizer = drawing.tokenizers[drawing.id]
    parts = parts_of(tokenizer, word)
    if parts is None or len(parts) < 2:
        return None
    entries = [word[:end] for end in range(1, len(word)) if tokenizer.token_to_id(word[:end]) is not None]
    if parts[0] not in entries or len(entries) < 2:
        return None
    choices = drawing.shuffled(entries[-5:])
    return Solved(
        Task(
            "first-token",
            drawing.id,
            word,
            f"All of these are in the vocabulary of {drawing.id}. Which does it take first from “{word}”?",
            [],
            [Line(each) for each in choices],
        ),
        choices.index(parts[0]),
        f"The longest entry that starts the word comes first: “{parts[0]}” has {len(parts[0])} letters.",
        [f"“{each}” has {len(each)}." for each in choices],
    )


def train_merge(drawing: Drawing) -> Solved | None:
    """Which pair a trainer merges next, counted in a few words."""
    words = [each for each in drawing.material.words if len(each) <= LONGEST_TRAINED]
    return drawing.first(_corpora(drawing, words, TRAINED_WORDS), lambda corpus: _train_merge(drawing, corpus))


def _corpora(drawing: Drawing, words: list[str], count: int) -> Iterator[str]:
    """Some words, each one to five times, drawn again and again."""
    for _ in range(MOST_TRAININGS if len(words) >= count else 0):
        drawn = drawing.chance.sample(words, count)
        yield "".join(f" {word}" * drawing.chance.randint(1, 5) for word in drawn)


def _train_merge(drawing: Drawing, corpus: str) -> Solved | None:
    tokenizer = drawing.tokenizers[drawing.id]
    lesson, value = ("bpe-train", "count") if _is_bpe(tokenizer) else ("wordpiece-train", "score")
    found, named = _taken(tokenizer, lesson, corpus)
    states_with_one = [lists for _, lists in found[:-1] if _has_one_best(lists["pairs"], value)]
    if not states_with_one:
        return None
    return _training_task(drawing, corpus, drawing.chance.choice(states_with_one), named)


def _training_task(drawing: Drawing, corpus: str, lists: dict[str, list[Any]], named: dict[str, Any]) -> Solved:
    """The task at one state of a training, whose first pair is the next."""
    is_bpe = _is_bpe(drawing.tokenizers[drawing.id])
    names = {int(id): spelled(each["text"], each["bytes"]) if is_bpe else each["token"] for id, each in named.items()}
    pairs = lists["pairs"][:MOST_PAIRS]
    words = [f"{names[left]} + {names[right]}" for left, right in (each["pair"] for each in pairs)]
    said = {
        word: f"{word} occurs {number_of(pair['count'], 'time')}"
        if is_bpe
        else f"{word} has the score {pair['score']:.4f}"
        for word, pair in zip(words, pairs, strict=True)
    }
    choices = drawing.shuffled(words)
    question = (
        "BPE is trained on these words. Which pair does it merge next?"
        if is_bpe
        else "WordPiece is trained on these words. Which pair does it merge next? The score of a pair is its count, divided by"
        " the count of its left and by that of its right."
    )
    given = [Line(" ".join(names[id] for id in each["symbols"]), f"× {each['count']}") for each in lists["words"]]
    task = Task("train-merge", drawing.id, corpus, question, given, [Line(each) for each in choices])
    reason = f"{said[words[0]]}, more than any other pair."
    return Solved(task, choices.index(words[0]), reason, [f"{said[each]}." for each in choices])


def pruned(drawing: Drawing) -> Solved | None:
    """Which token the training of Unigram removes: not the rarest, but the one that costs least."""
    corpora = _corpora(drawing, drawing.material.words, PRUNED_WORDS)
    return drawing.first(corpora, lambda corpus: _pruned(drawing, corpus))


def _pruned(drawing: Drawing, corpus: str) -> Solved | None:
    found, named = _taken(drawing.tokenizers[drawing.id], "unigram-train", corpus, PRUNED_TO)
    losses = (lists["tokens"] for now, lists in found if now["step"] == "losses")
    chosen = next(filter(None, (_one_to_prune(drawing, tokens) for tokens in losses)), None)
    if chosen is None:
        return None
    tokens = drawing.chance.sample(chosen, len(chosen))
    names = [named[str(each["id"])]["token"].replace("▁", "·") for each in tokens]
    told = [f"expected {each['expected']:.2f} times, loss {each['loss']:.2f}" for each in tokens]
    solution = tokens.index(chosen[0])
    task = Task(
        "pruned",
        drawing.id,
        corpus,
        "Unigram is trained on these words, and one of these tokens is removed. Which?",
        [Line(word, f"× {count}") for word, count in Counter(corpus.split()).most_common()],
        [Line(name, note) for name, note in zip(names, told, strict=True)],
    )
    reason = f"The smallest loss goes: without {names[solution]} the corpus loses {chosen[0]['loss']:.2f}."
    misses = [f"{name} would cost {each['loss']:.2f}." for name, each in zip(names, tokens, strict=True)]
    return Solved(task, solution, reason, misses)


def _one_to_prune(drawing: Drawing, tokens: list[dict[str, Any]]) -> list[dict[str, Any]] | None:
    """A token that goes, then some that stay with greater losses, the first of which is rarer. None if there is none."""
    weighed = [each for each in tokens if each["loss"] is not None]
    for gone in drawing.chance.sample(weighed, len(weighed)):
        kept = [each for each in weighed if each["stays"] and each["loss"] > gone["loss"] + LEAST]
        kept.sort(key=lambda each: each["expected"])
        if not gone["stays"] and len(kept) >= MOST_PAIRS - 1 and kept[0]["expected"] < gone["expected"] - LEAST:
            return [gone, kept[0], *drawing.chance.sample(kept[1:], MOST_PAIRS - 2)]
    return None


def path(drawing: Drawing) -> Solved | None:
    """Which of the two most probable segmentations Unigram chooses."""
    return drawing.first(drawing.some(drawing.material.words), lambda word: _path(drawing, word))


def _path(drawing: Drawing, word: str) -> Solved | None:
    tokenizer = drawing.tokenizers[drawing.id]
    pretokens = _pretokens(tokenizer, word)
    steps = pretokens[0]["steps"] if pretokens else {}
    if len(pretokens) != 1 or not steps["runner_up"]:
        return None
    scores = {(node["id"], *node["span"]): node["score"] for node in steps["nodes"]}
    paths = [steps["best"], steps["runner_up"]]
    tokens = [(token["id"], *token["span"]) for path in paths for token in path["tokens"]]
    if not scores.keys() >= {*tokens}:
        return None  # an unknown character has no score of its own
    lines = [
        Line(
            shown([_spelled(tokenizer, token["id"]) for token in path["tokens"]]),
            " ".join(f"{scores[token['id'], *token['span']]:+.2f}" for token in path["tokens"]),
        )
        for path in paths
    ]
    if paths[0]["score"] - paths[1]["score"] <= LEAST or _total(lines[0]) <= _total(lines[1]):
        return None  # nobody can tell which wins
    choices = drawing.shuffled(lines)
    solution = choices.index(lines[0])
    return Solved(
        Task(
            "path",
            drawing.id,
            word,
            f"Which of these segmentations of “{word}” does {drawing.id} choose? The numbers are the scores of its tokens.",
            [],
            choices,
        ),
        solution,
        f"The highest sum wins: {paths[0]['score']:.2f} against {paths[1]['score']:.2f}.",
        ["", ""],
    )


def boundaries(drawing: Drawing) -> Solved | None:
    """Where the tokens of a text end. `boundaries` of this package marks the answer and says why."""
    return drawing.first(drawing.some(drawing.material.sentences), lambda sentence: _boundaries(drawing, sentence))


def _boundaries(drawing: Drawing, sentence: str) -> Solved | None:
    tokenizer = drawing.tokenizers[drawing.id]
    text = " ".join(sentence.split()[:MOST_WORDS])
    trace = tokenizer.trace(text, specials="text").as_dict()
    found, _, _ = placeable(trace, text.encode())
    if len(found) < 2:
        return None
    tokens = [token["id"] for pretoken in trace["pretokens"] for token in pretoken["tokens"]]
    names = " │ ".join(_spelled(tokenizer, id) for id in tokens)
    return Solved(
        Task("boundaries", drawing.id, text, f"Where does {drawing.id} end its tokens?", [], None),
        [start for start, _ in found],
        f"{drawing.id} makes {len(tokens)} tokens: {names}.",
        [],
    )


def count(drawing: Drawing) -> Solved | None:
    """How many tokens a sentence has."""
    return drawing.first(drawing.some(drawing.material.sentences), lambda text: _count(drawing, text))


def _count(drawing: Drawing, text: str) -> Solved | None:
    tokenizer = drawing.tokenizers[drawing.id]
    right = len(tokenizer.encode(text, add_special_tokens=False, specials="text"))
    guesses = {
        len(text.split()): "is the number of words",
        round(len(text) / CHARACTERS_PER_TOKEN): f"is the {len(text)} characters divided by {CHARACTERS_PER_TOKEN}",
        len(text): "is the number of characters",
    }
    if right in guesses or right == 0:
        return None
    numbers = sorted({right, *guesses})
    return Solved(
        Task(
            "count",
            drawing.id,
            text,
            f"How many tokens does {drawing.id} make of this text?",
            [],
            [Line(str(each)) for each in numbers],
        ),
        numbers.index(right),
        f"{drawing.id} makes {right} tokens of its {len(text)} characters.",
        [f"{each} {guesses[each]}." if each != right else "" for each in numbers],
    )


def rules_for(tokenizer: Tokenizer, word: str) -> list[Line] | None:
    """What a tokenizer knows that this word can meet, enough to segment it on paper: merges, entries or scores.

    None for another model, and for a word with an unknown character.
    """
    model = tokenizer.stages["model"]
    if _is_bpe(tokenizer):
        ranks: dict[str, int] = {}
        for _, lists in _states(tokenizer, word):
            symbols = lists["symbols"]
            if any(each["id"] is None for each in symbols):
                return None
            for at, rank in _ranks(lists).items():
                left, right = (_spelled(tokenizer, symbols[n]["id"]) for n in (at, at + 1))
                ranks[f"{left} + {right}"] = rank
        return [Line(pair, f"rank {rank}") for pair, rank in sorted(ranks.items(), key=lambda each: each[1])]
    if model.endswith("WordPiece"):
        entries = dict.fromkeys(
            ("##" if start else "") + word[start:end]
            for start in range(len(word))
            for end in range(len(word), start + 1, -1)
        )
        return [Line(each, f"id {id}") for each in entries if (id := tokenizer.token_to_id(each)) is not None]
    if model.endswith("Unigram"):
        nodes = [node for each in _pretokens(tokenizer, word) for node in each["steps"]["nodes"]]
        if any(node["id"] is None for node in nodes):
            return None
        return [Line(_spelled(tokenizer, node["id"]), f"score {node['score']:.2f}") for node in nodes]
    return None


def _pretokens(tokenizer: Tokenizer, word: str) -> list[dict[str, Any]]:
    trace: dict[str, Any] = tokenizer.trace(word, specials="text").as_dict()
    return [each for each in trace["pretokens"] if each["steps"]["model"] != "added"]


def _states(tokenizer: Tokenizer, word: str) -> list[State]:
    """The states of BPE's lesson."""
    return _taken(tokenizer, "bpe-encode", word)[0]


def _taken(tokenizer: Tokenizer, name: str, text: str, learn: int = LEARNT) -> tuple[list[State], dict[str, Any]]:
    """The states of a lesson, and the tokens that they name."""
    lesson = tokenizer.lesson(name, text, specials="text", learn=learn)
    found = [
        (now, {name: list(items) for name, items in lists.items()})
        for now, lists in states(lesson.frames, lesson.ends.tolist())
    ]
    return found, json.loads(lesson.facts)["named"]


def _is_bpe(tokenizer: Tokenizer) -> bool:
    return tokenizer.stages["model"].endswith("BPE")


def _has_one_best(pairs: list[dict[str, Any]], value: str) -> bool:
    """Whether one pair is before all others, of some: of equal ones nobody can tell which comes first."""
    return len(pairs) >= MOST_PAIRS and pairs[0][value] > pairs[1][value]


def _ranks(lists: dict[str, list[Any]]) -> dict[int, int]:
    """The rank of each pair that can be merged, by the index of its left symbol."""
    return {at: pair["rank"] for at, pair in enumerate(lists["pairs"]) if "rank" in pair}


def _has_one_lowest(lists: dict[str, list[Any]]) -> bool:
    """Whether one of some pairs has the lowest rank, at one place: where two have it, it comes first at the left."""
    lowest, *others = sorted(_ranks(lists).values()) or [0]
    return bool(others) and lowest < others[0]


def _total(line: Line) -> Decimal:
    """The sum of the scores as they are shown."""
    return sum(map(Decimal, (line.note or "").split()), Decimal())


def _spelled(tokenizer: Tokenizer, id: int) -> str:
    return spelled(tokenizer.token_text(id), tokenizer.token_bytes(id).hex())
