"""Tasks that carry out a step of an algorithm, or foretell what it comes to. The lessons of the engine have the answers."""

from typing import Any

from lab_app.engine import Tokenizer
from lab_app.services.exercises.boundaries import placeable
from lab_app.services.exercises.task import Drawing, Line, Solved, Task, parts_of, shown
from lab_app.services.lessons.frames import states
from lab_app.spelling import spelled

CHARACTERS_PER_TOKEN = 4
"""The rule of thumb for English."""

MOST_WORDS = 5
"""Of a text whose boundaries are placed."""

State = tuple[dict[str, Any], dict[str, list[Any]]]


def next_merge(drawing: Drawing) -> Solved | None:
    """Which pair BPE merges next."""
    tokenizer = drawing.tokenizers[drawing.id]
    for word in drawing.some(drawing.material.words):
        found = _states(tokenizer, word)
        if any(each["id"] is None for _, lists in found for each in lists["symbols"]):
            continue
        numbers = [
            n
            for n, (_, lists) in enumerate(found[:-1])
            if found[n + 1][0]["step"] == "merge" and len(_ranks(lists)) > 1
        ]
        if not numbers:
            continue
        n = drawing.chance.choice(numbers)
        (_, lists), (merge, _) = found[n], found[n + 1]
        ranks = _ranks(lists)
        names = [_spelled(tokenizer, each["id"]) for each in lists["symbols"]]
        choices = [Line(f"{names[at]} + {names[at + 1]}", f"rank {rank}") for at, rank in ranks.items()]
        solution = list(ranks).index(merge["at"])
        best = choices[solution]
        return Solved(
            Task(
                "next-merge",
                drawing.id,
                word,
                f"{drawing.id} has “{shown(names)}” of “{word}”. Which pair does it merge next?",
                [],
                choices,
            ),
            solution,
            f"The lowest rank comes first: {best.text} has {best.note}.",
            [
                f"{each.text} has {each.note}" + (", too, and is further right." if each.note == best.note else ".")
                for each in choices
            ],
        )
    return None


def first_token(drawing: Drawing) -> Solved | None:
    """Which token WordPiece takes first."""
    tokenizer = drawing.tokenizers[drawing.id]
    for word in drawing.some(drawing.material.words):
        parts = parts_of(tokenizer, word)
        if parts is None or len(parts) < 2:
            continue
        entries = [word[:end] for end in range(1, len(word)) if tokenizer.token_to_id(word[:end]) is not None]
        if parts[0] not in entries or len(entries) < 2:
            continue
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
    return None


def path(drawing: Drawing) -> Solved | None:
    """Which of the two most probable segmentations Unigram chooses."""
    tokenizer = drawing.tokenizers[drawing.id]
    for word in drawing.some(drawing.material.words):
        pretokens = _pretokens(tokenizer, word)
        steps = pretokens[0]["steps"] if pretokens else {}
        if len(pretokens) != 1 or not steps["runner_up"]:
            continue
        scores = {(node["id"], *node["span"]): node["score"] for node in steps["nodes"]}
        ways = [steps["best"], steps["runner_up"]]
        tokens = [(token["id"], *token["span"]) for way in ways for token in way["tokens"]]
        if not scores.keys() >= {*tokens} or ways[0]["score"] == ways[1]["score"]:
            continue  # an unknown character has no score of its own, and of equal sums nobody can tell which wins
        lines = [
            Line(
                shown([_spelled(tokenizer, token["id"]) for token in way["tokens"]]),
                " ".join(f"{scores[token['id'], *token['span']]:+.2f}" for token in way["tokens"]),
            )
            for way in ways
        ]
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
            f"The highest sum wins: {ways[0]['score']:.2f} against {ways[1]['score']:.2f}.",
            ["", ""],
        )
    return None


def boundaries(drawing: Drawing) -> Solved | None:
    """Where the tokens of a text end. `boundaries` of this package marks the answer and says why."""
    tokenizer = drawing.tokenizers[drawing.id]
    for sentence in drawing.some(drawing.material.sentences):
        text = " ".join(sentence.split()[:MOST_WORDS])
        trace = tokenizer.trace(text, specials="text").as_dict()
        found, _, _ = placeable(trace, text.encode())
        if len(found) < 2:
            continue
        tokens = [token["id"] for pretoken in trace["pretokens"] for token in pretoken["tokens"]]
        names = " │ ".join(_spelled(tokenizer, id) for id in tokens)
        return Solved(
            Task("boundaries", drawing.id, text, f"Where does {drawing.id} end its tokens?", [], None),
            [start for start, _ in found],
            f"{drawing.id} makes {len(tokens)} tokens: {names}.",
            [],
        )
    return None


def count(drawing: Drawing) -> Solved | None:
    """How many tokens a sentence has."""
    tokenizer = drawing.tokenizers[drawing.id]
    for text in drawing.some(drawing.material.sentences):
        right = len(tokenizer.encode(text, add_special_tokens=False, specials="text"))
        guesses = {
            len(text.split()): "is the number of words",
            round(len(text) / CHARACTERS_PER_TOKEN): f"is the {len(text)} characters divided by {CHARACTERS_PER_TOKEN}",
            len(text): "is the number of characters",
        }
        if right in guesses or right == 0:
            continue
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
    return None


def rules_for(tokenizer: Tokenizer, word: str) -> list[Line] | None:
    """What a tokenizer knows that this word can meet, enough to segment it on paper: merges, entries or scores.

    None for another model, and for a word with an unknown character.
    """
    model = tokenizer.stages["model"]
    if model.endswith("BPE"):
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
    lesson = tokenizer.lesson("bpe-encode", word, specials="text")
    return [
        (now, {name: list(items) for name, items in lists.items()})
        for now, lists in states(lesson.frames, lesson.ends.tolist())
    ]


def _ranks(lists: dict[str, list[Any]]) -> dict[int, int]:
    """The rank of each pair that can be merged, by the index of its left symbol."""
    return {at: pair["rank"] for at, pair in enumerate(lists["pairs"]) if "rank" in pair}


def _spelled(tokenizer: Tokenizer, id: int) -> str:
    return spelled(tokenizer.token_text(id), tokenizer.token_bytes(id).hex())
