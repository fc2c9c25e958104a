"""Sheets: the same seed makes the same tasks, the engine has every answer, and a misconception has none of them."""

import json
from collections import Counter
from dataclasses import fields
from itertools import pairwise
from string import ascii_lowercase

import pytest

from lab_app.errors import BadValue, NotFound
from lab_app.json_text import json_text
from lab_app.services.corpora.corpora import CorpusOptions
from lab_app.services.corpora.corpora import add as add_corpus
from lab_app.services.exercises.misconceptions import BELIEFS, SYLLABLE
from lab_app.services.exercises.options import SheetOptions
from lab_app.services.exercises.sheets import sheet_of, solved
from lab_app.services.exercises.steps import PRUNED_TO
from lab_app.services.exercises.task import Task
from lab_app.services.lessons.frames import states
from lab_app.services.text.encode import encode
from lab_app.services.text.results import EncodingResult
from lab_app.services.tokenizers.tokenizers import add as add_tokenizer
from tests.unit.services.text.test_explain import UNIGRAM

TOKENIZERS = ["gpt2", "cl100k_base", "bert-base-uncased", "pieces"]


def encoded(lab, id: str, text: str) -> EncodingResult:
    return encode(lab, id, text, add_special_tokens=False, specials="text").whole()


def parts(lab, id: str, text: str) -> str:
    return " | ".join(text[slice(*token.span_char)] for token in encoded(lab, id, text).tokens)


def number(line) -> float:
    return float(line.note.split()[-1])


def trained(task: Task) -> dict[str, float]:
    """The count of each pair of the words that are given, or the score of WordPiece, by their definitions."""
    words = [(each.text.split(" "), int(each.note.removeprefix("× "))) for each in task.given]
    pairs, symbols = Counter(), Counter()
    for word, count in words:
        for each in word:
            symbols[each] += count
        for left, right in pairwise(word):
            pairs[left, right] += count
    is_bpe = task.question.startswith("BPE")
    return {
        f"{left} + {right}": count if is_bpe else count / symbols[left] / symbols[right]
        for (left, right), count in pairs.items()
        if count > 1
    }


def removed(lab, task: Task) -> int:
    """The only choice that a round of pruning removes, while the three others stay."""
    lesson = lab.loaded.get(task.tokenizer)[1].lesson("unigram-train", task.text, specials="text", learn=PRUNED_TO)
    named = json.loads(lesson.facts)["named"]
    for now, _ in states(lesson.frames, lesson.ends.tolist()):
        gone = {named[str(id)]["token"].replace("▁", "·") for id in now.get("removed", ()) if now["step"] == "prune"}
        found = [n for n, each in enumerate(task.choices) if each.text in gone]
        if len(found) == 1:
            counts = [float(each.note.split()[1]) for each in task.choices]
            assert counts[found[0]] > min(counts)
            return found[0]
    raise AssertionError(task)


def right_choice(lab, task: Task) -> int:
    """The answer from `encode`, by the definition of each kind of task."""
    texts = [each.text for each in task.choices]
    if task.kind in ("syllables", "longest", "alike"):
        return texts.index(parts(lab, task.tokenizer, task.text))
    if task.kind in ("emoji", "count"):
        return texts.index(str(encoded(lab, task.tokenizer, task.text).count))
    if task.kind == "first-token":
        return texts.index(encoded(lab, task.tokenizer, task.text).tokens[0].text)
    if task.kind == "next-merge":
        ranks = [number(each) for each in task.choices]
        return ranks.index(min(ranks))
    if task.kind == "train-merge":
        values = trained(task)
        best = max(values, key=values.__getitem__)
        assert sorted(values.values())[-1] > sorted(values.values())[-2]
        return texts.index(best)
    if task.kind == "pruned":
        assert task.choices[removed(lab, task)].note.startswith("expected ")
        return removed(lab, task)
    if task.kind == "path":
        assert " | ".join(token.text for token in encoded(lab, task.tokenizer, task.text).tokens) in texts
        sums = [sum(map(float, each.note.split())) for each in task.choices]
        return sums.index(max(sums))
    assert task.kind == "fewer"
    exact = [id for id in texts[:2] if encoded(lab, id, task.text).round_trip]
    assert [encoded(lab, id, task.text).count for id in texts[:2]] == [int(each.note.split()[0]) for each in task.given]
    return texts.index(exact[0]) if len(exact) == 1 else texts.index("both" if exact else "neither")


@pytest.mark.parametrize("id", TOKENIZERS)
@pytest.mark.parametrize("kind", ["mixed", "before", "after"])
def test_the_engine_has_every_answer(lab, id: str, kind: str):
    for seed in range(3):
        made = solved(lab, id, SheetOptions(seed, kind))
        assert [each.task for each in made.solved] == made.sheet.tasks
        for each in made.solved:
            if each.task.kind == "boundaries":
                ends = [token.span_utf8[1] for token in encoded(lab, id, each.task.text).tokens]
                assert each.solution == ends[:-1], each.task
            else:
                assert each.solution == right_choice(lab, each.task), each.task
                assert 1 < len({*each.task.choices}) == len(each.task.choices), each.task
            assert each.reason


def test_a_pair_that_stands_twice_is_one_choice_and_never_the_next_merge(lab, tmp_path):
    (tmp_path / "twice.txt").write_text("arbitrary\nbananas\nmississippi\nassesses\n")
    twice = add_corpus(lab, [str(tmp_path / "twice.txt")], CorpusOptions())
    for seed in range(20):
        for each in solved(lab, "gpt2", SheetOptions(seed, "next-merge", corpus=twice.id)).solved:
            best = each.task.choices[each.solution]
            assert [line.note for line in each.task.choices].count(best.note) == 1, each.task
            first, second = best.text.split(" + ")
            symbols = each.task.question.split("“")[1].split("”")[0].split(" | ")
            assert [*pairwise(symbols)].count((first, second)) == 1, each.task
            assert len({*each.task.choices}) == len(each.task.choices), each.task


def test_sums_that_look_alike_make_no_task(lab, tmp_path):
    """Of “abcde” the numbers that are shown have the other sum, and of “vwxyz” the same one, within the digits."""
    scores = {
        "abc": -2.004,
        "de": -2.004,
        "ab": -2.003,
        "cde": -2.006,
        "vwx": -4.0,
        "yz": -4.0,
        "vw": -4.0,
        "xyz": -4.002,
    }
    vocab = [["?", 0.0], *scores.items(), *((each, -9.0) for each in ascii_lowercase)]
    (tmp_path / "close").mkdir()
    file = tmp_path / "close" / "tokenizer.json"
    file.write_text(json.dumps(UNIGRAM | {"model": UNIGRAM["model"] | {"vocab": vocab}}))
    add_tokenizer(lab, file, id="close")
    (tmp_path / "words.txt").write_text("abcde\nvwxyz\n")
    words = add_corpus(lab, [str(tmp_path / "words.txt")], CorpusOptions())
    with pytest.raises(BadValue, match="no task of the kind path can be made"):
        sheet_of(lab, "close", SheetOptions(kind="path", corpus=words.id))


def belief_of(lab, task: Task) -> str:
    """What the misconception would choose."""
    if task.kind == "syllables":
        return " | ".join(SYLLABLE.findall(task.text))
    if task.kind == "emoji":
        return "1"
    if task.kind == "longest":
        _, tokenizer = lab.loaded.get(task.tokenizer)
        done, found = 0, []
        while done < len(task.text):
            end = next(n for n in range(len(task.text), done, -1) if tokenizer.token_to_id(task.text[done:n].encode()))
            found.append(task.text[done:end])
            done = end
        return " | ".join(found)
    if task.kind == "fewer":
        return min(task.given, key=lambda each: int(each.note.split()[0])).text
    return parts(lab, task.question.split()[0], task.text)


@pytest.mark.parametrize("id", TOKENIZERS)
def test_each_misconception_has_a_task_that_it_answers_wrongly(lab, id: str):
    for seed in range(3):
        made = solved(lab, id, SheetOptions(seed, "misconceptions"))
        kinds = [each.task.kind for each in made.solved]
        assert kinds + [each.kind for each in made.sheet.left_out] == list(BELIEFS) or set(kinds) < set(BELIEFS)
        assert len(kinds) == 5, made.sheet.left_out
        for each in made.solved:
            wrong = [line.text for line in each.task.choices].index(belief_of(lab, each.task))
            assert wrong != each.solution and each.misses[wrong], each.task


@pytest.mark.parametrize(
    ("id", "kind"),
    [("gpt2", "train-merge"), ("bert-base-uncased", "train-merge"), ("pieces", "path"), ("pieces", "pruned")],
)
def test_each_step_of_a_model_makes_tasks(lab, id: str, kind: str):
    sheet = sheet_of(lab, id, SheetOptions(1, kind, count=4))
    assert [task.kind for task in sheet.tasks] == [kind] * 4 and sheet.left_out == []


def test_the_same_seed_makes_the_same_tasks(lab):
    one, other = (sheet_of(lab, "gpt2", SheetOptions(7)) for _ in range(2))
    assert json_text(one) == json_text(other)
    assert one.tasks != sheet_of(lab, "gpt2", SheetOptions(8)).tasks
    # What a link or a file of results needs to make the tasks again is in the sheet.
    again = sheet_of(lab, "GPT2", SheetOptions(one.seed, one.kind, one.corpus, one.language, one.count))
    assert again == one


def test_a_seed_makes_the_tasks_that_it_made(lab):
    """A change of these needs another VERSION of the sheets: files of results name it."""
    tasks = sheet_of(lab, "gpt2", SheetOptions(7, count=4)).tasks
    assert [(task.kind, task.text) for task in tasks] == [
        ("next-merge", "tribunal"),
        ("train-merge", " genuine genuine charge charge engage arrest arrest arrest arrest arrest return"),
        ("boundaries", "Everyone has the right to"),
        ("count", "All human beings are born free and equal in dignity and rights."),
    ]


def test_a_sheet_has_no_answers(lab):
    sheet = json.loads(json_text(sheet_of(lab, "gpt2", SheetOptions(1, "before"))))
    assert {*sheet["tasks"][0]} == {each.name for each in fields(Task)}
    assert not {"solution", "reason", "misses"} & {each.name for each in fields(Task)}


@pytest.mark.parametrize("id", TOKENIZERS)
def test_the_two_tests_have_the_same_kinds_and_other_texts(lab, id: str):
    before, after = (sheet_of(lab, id, SheetOptions(3, kind)) for kind in ("before", "after"))
    assert [task.kind for task in before.tasks] == [task.kind for task in after.tasks]
    assert len(before.tasks) == len(after.tasks) == 10
    same = {task.text for task in before.tasks} & {task.text for task in after.tasks}
    assert len(same) <= 2  # a corpus may have no other word that contradicts a misconception


def test_words_of_a_corpus_of_the_lab(lab, tmp_path):
    (tmp_path / "birds.txt").write_text("The nightingale sings beautifully.\nMagpies collect glittering things.\n")
    birds = add_corpus(lab, [str(tmp_path / "birds.txt")], CorpusOptions())
    found = sheet_of(lab, "gpt2", SheetOptions(kind="next-merge", corpus=birds.id))
    assert {task.text for task in found.tasks} <= {
        "nightingale",
        "sings",
        "beautifully",
        "Magpies",
        "collect",
        "glittering",
        "things",
    }
    assert found.language is None and found.corpus_sha256 == birds.sha256
    german = sheet_of(lab, "gpt2", SheetOptions(kind="count", language="German, Standard (1996)"))
    assert german.language == "German, Standard (1996)"


@pytest.mark.parametrize(
    ("id", "options", "problem"),
    [
        ("gpt2", SheetOptions(kind="path"), "tasks of the kind path need Unigram, and gpt2 is byte-level BPE"),
        ("pieces", SheetOptions(kind="train-merge"), "tasks of the kind train-merge need BPE, and pieces is Unigram"),
        ("pieces", SheetOptions(kind="next-merge"), "tasks of the kind next-merge need BPE, and pieces is Unigram"),
        ("gpt2", SheetOptions(seed=-1), "seed is -1: give a number from 0"),
        ("gpt2", SheetOptions(count=51), "count is 51"),
        ("gpt2", SheetOptions(kind="all"), 'kind cannot be "all"'),
        ("nobody", SheetOptions(), "nobody"),
        ("gpt2", SheetOptions(corpus="none"), 'there is no corpus "none"'),
        ("gpt2", SheetOptions(language="Klingon"), 'has no language "Klingon"'),
    ],
)
def test_what_cannot_be_a_sheet_is_refused(lab, id: str, options: SheetOptions, problem: str):
    with pytest.raises((BadValue, NotFound)) as refused:
        sheet_of(lab, id, options)
    assert problem in str(refused.value)


def test_a_corpus_without_words_is_refused(lab, tmp_path):
    (tmp_path / "one.txt").write_text("a\n")
    one = add_corpus(lab, [str(tmp_path / "one.txt")], CorpusOptions())
    with pytest.raises(BadValue, match=r"has no word of 5 to 14 letters and no sentence .* choose another corpus"):
        sheet_of(lab, "gpt2", SheetOptions(corpus=one.id))


def test_a_lab_without_bundled_tokenizers_leaves_out_what_needs_them(lab, monkeypatch):
    monkeypatch.setattr("lab_app.services.exercises.sheets._bundled", lambda lab, id: None)
    found = sheet_of(lab, "gpt2", SheetOptions(kind="misconceptions"))
    assert [task.kind for task in found.tasks] == ["syllables", "emoji", "longest"]
    assert [each.kind for each in found.left_out] == ["fewer", "alike"]
    assert [each.id for each in found.tokenizers] == ["gpt2"]


@pytest.mark.parametrize("language", ["Hindi", "Chinese, Mandarin (Simplified)", "Russian", "Thai"])
def test_a_test_in_any_script_asks_about_all_misconceptions(lab, language: str):
    for id in ("gpt2", "bert-base-uncased"):
        found = sheet_of(lab, id, SheetOptions(2, "before", language=language))
        assert [task.kind for task in found.tasks][:5] == list(BELIEFS)


def test_a_character_that_cannot_be_encoded_makes_no_task(lab, tmp_path):
    """Sentences and words with other letters are left out; a tokenizer without an unknown token refuses them."""
    (tmp_path / "merges").mkdir()
    model = {"type": "BPE", "vocab": {each: n for n, each in enumerate([*"abcdehlo ", "he", "ll", "hell", "hello"])}}
    model["merges"] = ["h e", "l l", "he ll", "hell o"]
    (tmp_path / "merges" / "tokenizer.json").write_text(json.dumps({"model": model}))
    add_tokenizer(lab, tmp_path / "merges" / "tokenizer.json", id="strict")
    (tmp_path / "words.txt").write_text("hello doble calle\nquite other zebras\nhello hello cabbed\n")
    words = add_corpus(lab, [str(tmp_path / "words.txt")], CorpusOptions())
    found = sheet_of(lab, "strict", SheetOptions(kind="next-merge", corpus=words.id, count=3))
    assert {task.text for task in found.tasks} <= {"hello", "calle"}


@pytest.mark.parametrize("kind", ["boundaries", "count", "next-merge", "train-merge"])
@pytest.mark.parametrize("seed", [0, 3])
def test_no_task_comes_twice(lab, kind: str, seed: int):
    sheet = sheet_of(lab, "gpt2", SheetOptions(seed=seed, kind=kind, count=50))
    asked = [(task.kind, task.text, task.question) for task in sheet.tasks]
    assert len(asked) == len({*asked})
    assert len(asked) + len(sheet.left_out) == 50
