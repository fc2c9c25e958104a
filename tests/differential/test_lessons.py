"""Lessons end with the tokens of `encode` and take the steps of the definitions, for every kind of tokenizer."""

import json
import math
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
import sentencepiece

from lab_app import engine
from lab_app.engine import EncodeError, Tokenizer, Trainer, WordCounter
from lab_app.services.lessons.frames import states
from lab_app.services.lessons.lessons import LESSONS
from lab_app.services.lessons.step_words import STEPS
from tests.differential import test_sentencepiece as models
from tests.differential.test_chance import UNIGRAM_MODELS
from tests.differential.test_small_models import TEXTS, configurations, trained
from tests.differential.test_trace import REAL
from tests.generators import texts

TOKENS = {"bpe-encode": "symbols", "wordpiece-encode": "tokens", "unigram-encode": "tokens", "pipeline": "pieces"}
"""The list that has the tokens at the end."""
EVERY_KEY = 64
ENCODERS = ["naive", "naive-split", "ordered-set", "linked-list"]


def lesson_of(tokenizer: Tokenizer, kind: str = "encode") -> str | None:
    """The lesson of its model."""
    model = tokenizer.stages["model"]
    of_kind = (
        name for name, needed in engine.LESSONS.items() if needed and name.endswith(kind) and model.endswith(needed)
    )
    return next(of_kind, None)


def taken(tokenizer: Tokenizer, name: str, text: str, specials: engine.Specials = "parse") -> tuple[dict, list]:
    """The facts and all states."""
    lesson = tokenizer.lesson(name, text, specials=specials)
    frames, ends = lesson.frames, lesson.ends.tolist()
    assert json.loads(frames[: ends[0]]).keys() == {"now", "key"} and ends[-1] == len(frames)
    # Items are never changed, so that the lists alone are copied.
    copies = [(now, {each: list(items) for each, items in lists.items()}) for now, lists in states(frames, ends)]
    return json.loads(lesson.facts), copies


def check(tokenizer: Tokenizer, text: str, *, of_model: bool = False) -> None:
    """Every lesson that the tokenizer can show; one of a `.model` may encode another path than the first of several."""
    try:
        expected = tokenizer.encode(text, add_special_tokens=False).ids.tolist()
    except EncodeError:
        with pytest.raises(EncodeError, match="no unknown token"):
            tokenizer.lesson("pipeline", text)
        return
    for name in ("pipeline", lesson_of(tokenizer)):
        if name is None:
            continue
        facts, found = taken(tokenizer, name, text)
        assert facts["ids"] == expected and [each["id"] for each in facts["tokens"]] == expected, text
        assert [each["id"] for each in found[-1][1][TOKENS[name]]] == expected, text
        named = set(map(int, facts["named"]))
        for items in [*found[0][1].values(), *found[-1][1].values()]:
            assert {each["id"] for each in items if each.get("id") is not None} <= named
        if name == "bpe-encode":
            check_merges(found)
        if name == "unigram-encode":
            check_sums(found)
            check_paths(found, facts, of_model=of_model)


def check_merges(found: list) -> None:
    """Of the first pretoken with a pair that merges, the lowest rank is merged, of equal ones the leftmost."""
    for (_, before), (now, after) in pairwise(found):
        if now["step"] != "merge":
            continue
        symbols, pairs = before["symbols"], before["pairs"]
        ranked = [at for at, pair in enumerate(pairs) if "rank" in pair]
        here = [at for at in ranked if symbols[at]["pretoken"] == now["pretoken"]]
        assert symbols[ranked[0]]["pretoken"] == now["pretoken"]
        at = min(here, key=lambda at: (pairs[at]["rank"], at))
        assert (now["at"], now["rank"], now["id"]) == (at, pairs[at]["rank"], pairs[at]["id"])
        ids = [each["id"] for each in symbols]
        assert [each["id"] for each in after["symbols"]] == [*ids[:at], now["id"], *ids[at + 2 :]]
        assert [each["id"] for each in after["nodes"]][-1] == now["id"]


def check_sums(found: list) -> None:
    """Every place has the best sum of what ends there."""
    lists = found[-1][1]
    for now, _ in found:
        if now["step"] == "place":
            place = lists["places"][now["at"]]
            nodes = lists["nodes"][slice(*now["nodes"])]
            assert place["best"] == max(node["sum"] for node in nodes) == lists["nodes"][place["node"]]["sum"]
            for node in nodes:
                assert math.isclose(node["sum"], lists["places"][node["from"]]["best"] + node["score"], rel_tol=1e-5)


def check_paths(found: list, facts: dict, *, of_model: bool) -> None:
    """The paths of a pretoken weigh what their scores say, all of them one together, and as many are drawn as the step says."""
    last = found[-1][1]["tokens"]
    for now, lists in found:
        if now["step"] not in ("paths", "draws"):
            assert lists["paths"] == [] or now["step"] == "done"
            continue
        pretoken, paths = facts["pretokens"][now["pretoken"]], lists["paths"]
        best, others = paths[0], paths[now["count"] :]
        assert {str(each["id"]) for path in paths for each in path["tokens"]} <= facts["named"].keys()
        if not of_model:
            ids = [each["id"] for each in last if each["pretoken"] == now["pretoken"]]
            assert [each["id"] for each in best["tokens"]] == ids
        for path in paths:
            share = best["probability"] * math.exp(path["score"] - best["score"])
            assert path["probability"] == pytest.approx(share, rel=1e-3), pretoken["text"]
        if now["step"] == "draws":
            assert sum(path["drawn"] for path in paths) == now["draws"]
            assert all(path["drawn"] for path in others)
            continue
        assert others == [] and all(path["drawn"] is None for path in paths)
        total = math.fsum(path["probability"] for path in paths)
        assert total <= 1 + 1e-4 and (now["count"] == 5 or total == pytest.approx(1, rel=1e-3)), pretoken["text"]
        for boundary in pretoken["boundaries"]:
            here = [path for path in paths if boundary["character"] in {each["from"] for each in path["tokens"]}]
            share = math.fsum(path["probability"] for path in here)
            assert -1e-4 <= boundary["probability"] - share <= 1 - total + 1e-3, pretoken["text"]


@pytest.mark.parametrize(
    "configuration", random.Random(9).sample(sorted(configurations()), 40), ids=lambda each: " | ".join(each)
)
def test_small_models(configuration: tuple[str, ...], tmp_path: Path):
    trained(*configuration).save(str(tmp_path / "tokenizer.json"))
    tokenizer = Tokenizer.from_file(tmp_path)
    for text in [*texts(15, seed=len(configuration[0])), *TEXTS[-2:], "", "THE the [MASK] é é."]:
        check(tokenizer, text)


@pytest.mark.parametrize("name", engine.BUILTIN)
def test_built_in(name: str):
    tokenizer = Tokenizer.builtin(name)
    for text in texts(25, seed=12):
        check(tokenizer, text)
        check_around(tokenizer, text)
        if tokenizer.stages["model"] == "byte-level BPE":
            check_encoders(tokenizer, text)
    check_languages(tokenizer, list(texts(10, seed=16)))


@pytest.mark.parametrize("name", REAL)
def test_real_files(name: str, shared: Path):
    tokenizer = Tokenizer.from_file(shared / "vocab" / name / "tokenizer.json")
    for text in texts(50, seed=13):
        check(tokenizer, text)
        check_around(tokenizer, text)
    check_languages(tokenizer, list(texts(10, seed=16)))


@pytest.mark.parametrize("name", models.REAL)
def test_real_sentencepiece_models(name: str, shared: Path):
    tokenizer = Tokenizer.from_file(shared / "vocab" / name)
    for text in texts(40, seed=14):
        check(tokenizer, text, of_model=True)
        check_around(tokenizer, text)


def drawn(tokenizer: Tokenizer, text: str, seed: int) -> list[dict]:
    lesson = tokenizer.lesson("unigram-encode", text, seed=seed)
    steps = states(lesson.frames, lesson.ends.tolist())
    return next(list(lists["paths"]) for now, lists in steps if now["step"] == "draws")


def test_paths_are_drawn_with_their_probabilities(shared: Path):
    tokenizer = Tokenizer.from_file(shared / "vocab" / "t5" / "tokenizer.json")
    times, shares = Counter(), {}
    for seed in range(400):
        for path in drawn(tokenizer, "unaffordable", seed):
            ids = tuple(each["id"] for each in path["tokens"])
            times[ids] += path["drawn"]
            shares[ids] = path["probability"]
    draws = times.total()
    assert draws == 4000
    for ids, share in shares.items():
        # Seeds are fixed: a generator that follows the shares is within six standard deviations.
        assert abs(times[ids] - share * draws) <= 6 * math.sqrt(share * (1 - share) * draws) + 2, ids


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_out_of_range_is_told_the_range(seed: int):
    tokenizer = Tokenizer.builtin("gpt2")
    with pytest.raises(ValueError, match=f"seed is {seed}, must be from 0 to 18446744073709551615"):
        tokenizer.lesson("utf8", "a", seed=seed)


@pytest.mark.parametrize("name", UNIGRAM_MODELS)
def test_the_paths_of_a_model_are_the_n_best_of_sentencepiece(name: str, shared: Path):
    tokenizer, reference = models.load(shared / "vocab" / name)
    compared = 0
    for text in texts(60, seed=19):
        facts, found = taken(tokenizer, "unigram-encode", text[:60], "text")
        listed = [lists["paths"] for now, lists in found if now["step"] == "paths"]
        if len(facts["pretokens"]) != 1 or not listed:
            continue
        ids = [[each["id"] for each in path["tokens"]] for path in listed[0]]
        assert ids == reference.nbest_encode(text[:60], nbest_size=5), text
        for path, of in zip(listed[0], ids, strict=True):
            if not any(map(reference.is_unknown, of)) and not any(map(reference.is_byte, of)):
                assert path["score"] == pytest.approx(sum(map(reference.get_score, of)), abs=1e-3), text
        compared += 1
    assert compared > 20


def test_the_paths_of_words_score_as_those_of_sentencepiece(shared: Path):
    tokenizer = Tokenizer.from_file(shared / "vocab" / "t5" / "tokenizer.json")
    reference = sentencepiece.SentencePieceProcessor(str(shared / "vocab" / "t5" / "spiece.model"))
    text = next((shared / "corpus" / "parallel" / "udhr").glob("*eng*")).read_text("utf-8")[:1500]
    facts, found = taken(tokenizer, "unigram-encode", text, "text")
    words = [
        (facts["pretokens"][now["pretoken"]]["text"], lists["paths"]) for now, lists in found if now["step"] == "paths"
    ]
    assert len(words) > 100
    for word, paths in words:
        theirs = reference.nbest_encode(word.removeprefix("▁"), nbest_size=5)
        if any(map(reference.is_unknown, theirs[0])):
            continue  # the vocabulary has no score for them
        scores = [sum(map(reference.get_score, ids)) for ids in theirs]
        # Of equal sums either may come first; sentencepiece adds 32-bit floats.
        assert [path["score"] for path in paths] == pytest.approx(scores, abs=1e-3), word


def test_the_ranks_of_pairs_are_the_lines_of_the_merges(shared: Path):
    merges = json.loads((shared / "vocab" / "gpt2" / "tokenizer.json").read_text("utf-8"))["model"]["merges"]
    ranks = {tuple(each.split(" ") if isinstance(each, str) else each): rank for rank, each in enumerate(merges)}
    tokenizer = Tokenizer.builtin("gpt2")
    for text in texts(20, seed=15):
        for _, lists in taken(tokenizer, "bpe-encode", text)[1]:
            for (left, right), pair in zip(pairwise(lists["symbols"]), lists["pairs"], strict=False):
                spelled = tuple(tokenizer.id_to_token(each["id"]) for each in (left, right))
                assert pair.get("rank") == (None if pair["split"] else ranks.get(spelled)), spelled


def learnt_from(tokenizer: Tokenizer, document: dict, text: str, vocab_size: int) -> Trainer:
    """What the trainer learns from a text by the stages of a tokenizer.json."""
    model, is_bytes = document["model"], tokenizer.stages["model"].startswith("byte-level")
    algorithm = "wordpiece" if tokenizer.stages["model"] == "WordPiece" else "bpe"
    marks = {"type": "Split", "pattern": {"String": "▁"}, "behavior": "MergedWithNext", "invert": False}
    options = {
        "algorithm": algorithm,
        "score": "likelihood" if algorithm == "wordpiece" else "frequency",
        "vocab_size": vocab_size,
        "normalizer": document.get("normalizer"),
        "pre_tokenizer": document.get("pre_tokenizer") or marks,
        "alphabet": "bytes" if is_bytes else "characters",
        "continuing_prefix": None if is_bytes else model.get("continuing_subword_prefix"),
        "end_suffix": None if is_bytes else model.get("end_of_word_suffix"),
    }
    counter = WordCounter(json.dumps(options))
    counter.add([text])
    return Trainer(json.dumps(options), counter)


def check_around(tokenizer: Tokenizer, text: str) -> None:
    """Pieces end as the tokens with those of the template, and decode as the tokenizer does."""
    whole = tokenizer.encode(text, specials="parse")
    _, found = taken(tokenizer, "special-tokens", text)
    assert [each["id"] for each in found[-1][1]["pieces"]] == whole.ids.tolist(), text
    assert [each["special"] for each in found[-1][1]["pieces"]] == (whole.flags & engine.SPECIAL > 0).tolist(), text
    for (_, before), (now, after) in pairwise(found):
        if now["step"] == "cut":
            spelled = "".join(each["text"] for each in after["pieces"])
            assert spelled == "".join(each["text"] for each in before["pieces"]) == text
            assert after["pieces"][now["at"]]["added"]
    if any(token.startswith("▁") for token in map(tokenizer.id_to_token, range(300, min(400, tokenizer.vocab_size)))):
        facts, found = taken(tokenizer, "sentencepiece", text)
        model = next(lists for now, lists in found if now["step"] == "model")
        assert [each["id"] for each in model["pieces"]] == facts["ids"], text
        decoded = tokenizer.decode(facts["ids"], skip_special_tokens=False)
        assert [each["text"] for each in found[-1][1]["pieces"]] == [decoded], text


def check_languages(tokenizer: Tokenizer, lines: list[str]) -> None:
    """Every line has the tokens that it has alone."""
    lines = [line for each in lines for line in [each.replace("\n", " ").replace("\r", " ")] if line.strip()]
    facts, found = taken(tokenizer, "languages", "\n".join(lines))
    sentences = found[-1][1]["sentences"]
    assert [each["text"] for each in sentences] == lines
    for line, each in zip(lines, sentences, strict=True):
        ids = tokenizer.encode(line, add_special_tokens=False).ids.tolist()
        assert facts["ids"][slice(*each["tokens"])] == ids
        assert each["premium"] == pytest.approx(len(ids) / (sentences[0]["tokens"][1] or math.nan))
        assert each["bytes"] == len(line.encode()) and each["characters"] == len(line)


def check_encoders(tokenizer: Tokenizer, text: str) -> None:
    """The encoders end with the tokens of `encode` and the work that each of them takes alone."""
    facts, found = taken(tokenizer, "encoders", text)
    now, lists = found[-1]
    items = (each for _, lists in found for items in lists.values() for each in items)
    assert {str(each["id"]) for each in items} <= set(facts["named"]), text
    assert [each["id"] for each in lists["split"]] == facts["ids"], text
    for name, work in zip(ENCODERS, now["work"], strict=True):
        ids, _, steps = engine.textbook_encode(tokenizer, text, name, specials="parse")
        assert {step: work[step] for step in steps} == steps, text
        assert name == "naive" or ids.tolist() == facts["ids"]


@pytest.mark.parametrize("name", engine.BUILTIN)
@pytest.mark.parametrize("text", ["unbelievable encoders, 1234!", " It's\n日本語の文字 é🙂 ", "x", "12 34"])
def test_operations_grow_as_the_encoders_count_them(name: str, text: str):
    tokenizer = Tokenizer.builtin(name)
    growth = json.loads(tokenizer.lesson("encoders", text).facts)["growth"]
    letters = "".join(filter(str.isalpha, text)).lower()
    for points, whole in [(growth["prose"], f"{text.strip()} " * 1024), (growth["word"], letters * 1024)]:
        assert len(points) == (7 if whole else 0)
        for point, most in zip(points, (16, 32, 64, 128, 256, 512, 1024), strict=False):
            beginning = whole.encode()[: point["bytes"]].decode()
            assert most - 4 < point["bytes"] <= most
            for algorithm, operations in zip(ENCODERS, point["operations"], strict=True):
                steps = engine.textbook_encode(tokenizer, beginning, algorithm, specials="text")[2]
                assert operations == sum(steps[each] for each in ("lookups", "moves", "pushes", "pops", "removals"))


def check_learnt(tokenizer: Tokenizer, document: dict, text: str) -> int:
    """The merges of the lesson are those of the trainer, whose tokenizer gives the same tokens; returns how many there are."""
    made = tokenizer.lesson(lesson_of(tokenizer, "train"), text, specials="text", learn=40)
    facts, found = json.loads(made.facts), list(states(made.frames, made.ends.tolist()))
    vocabulary, named = found[-1][1]["vocabulary"], facts["named"]
    trainer = learnt_from(tokenizer, document, text, max(each["id"] for each in vocabulary) + 1)
    rows = json.loads(trainer.run(1000, 10_000))["rows"]
    merged = [each for each in vocabulary if each["parts"]]
    assert [(each["id"], each["count"]) for each in merged] == [(row["id"], row["count"]) for row in rows], text
    parts = [[named[str(part)]["bytes"] for part in each["parts"]] for each in merged]
    assert parts == [[row["left"]["bytes"], row["right"]["bytes"]] for row in rows], text
    if facts["lesson"] == "bpe-train":
        encoding = trainer.tokenizer().encode(text, specials="text", add_special_tokens=False)
        assert facts["ids"] == encoding.ids.tolist(), text
        assert [each["span"] for each in facts["tokens"]] == encoding.span_utf8.tolist(), text
    return len(merged)


@pytest.mark.parametrize("name", ["albert-base-v2", "t5"])
def test_the_unigram_lesson_learns_what_the_trainer_learns(name: str, shared: Path):
    path = shared / "vocab" / name / "tokenizer.json"
    tokenizer, document = Tokenizer.from_file(path), json.loads(path.read_text("utf-8"))
    stages = {stage: document.get(stage) for stage in ("normalizer", "pre_tokenizer")}
    for text in [" ".join(texts(12, seed=seed)) for seed in range(6)]:
        facts, found = taken(tokenizer, "unigram-train", text, "text")
        named, (_, last) = facts["named"], found[-1]
        characters = sum(len(each["token"]) == 1 for each in named.values())
        options = {"algorithm": "unigram", "seed_size": 1000, "vocab_size": characters + 30, **stages}
        counter = WordCounter(json.dumps(options))
        counter.add([text])
        trainer = Trainer(json.dumps(options), counter)
        trainer.run(1000, 10_000)
        trained_ = trainer.tokenizer()
        kept = {named[str(each["id"])]["token"]: each["score"] for each in last["tokens"]}
        assert sorted(kept) == sorted(trained_.id_to_token(id) for id in range(len(trained_))), text
        assert [kept[trained_.id_to_token(id)] for id in range(len(trained_))] == pytest.approx(
            [trained_.score(id) for id in range(len(trained_))]
        )
        encoding = trained_.encode(text, specials="text", add_special_tokens=False)
        assert [named[str(id)]["token"] for id in facts["ids"]] == encoding.tokens, text
        assert [each["span"] for each in facts["tokens"]] == encoding.span_utf8.tolist(), text


@pytest.mark.parametrize("name", ["bert-base-uncased", "bert-base-cased", "clip", "gpt2", "llama2", "roberta-base"])
def test_what_is_learnt_is_what_the_trainer_learns(name: str, shared: Path):
    path = shared / "vocab" / name / "tokenizer.json"
    tokenizer, document = Tokenizer.from_file(path), json.loads(path.read_text("utf-8"))
    counts = [check_learnt(tokenizer, document, " ".join(texts(12, seed=seed))) for seed in range(8)]
    assert sum(counts) > 100


def test_a_long_text_is_right_over_its_key_frames():
    tokenizer = Tokenizer.builtin("gpt2")
    lesson = tokenizer.lesson("bpe-encode", text := "The quick brown fox jumps over the lazy dog and the others. " * 12)
    starts = [0, *lesson.ends.tolist()[:-1]]
    keys = [number for number, start in enumerate(starts) if b'"key":{' in lesson.frames[start : start + 400]]
    assert len(keys) > 2 and min(after - before for before, after in pairwise(keys)) >= EVERY_KEY
    check(tokenizer, text)


def test_every_step_of_a_lesson_is_declared():
    """A lesson of the engine that nobody can print would be found here."""
    assert set(LESSONS) == set(STEPS)
