"""The map of rows, and the checks, against what the encoders say."""

import io
import json

import numpy as np
import pyarrow.parquet as pq
import pytest

from lab_app.editing import checks, removal, words
from lab_app.editing.recipe import Step
from lab_app.editing.rows import changes, renamed_by, rows
from lab_app.editing.stages import loaded
from lab_app.editing.tables import Tables
from lab_app.services.editing.row_files import file_of
from tests.unit.editing.test_edits import BASES, base


def edited(name):
    """A definition with words added, most of the others gone, and IDs that moved."""
    return removal.compact(words.add_words(removal.trim(base(name), {}), ["regolith", "tower"]))


@pytest.mark.parametrize("name", BASES)
def test_each_row_is_copied_or_the_mean_of_what_the_old_tokenizer_makes_of_it(name):
    before, after = Tables.of(base(name)), Tables.of(edited(name))
    made = rows(before, after)
    old, new = before.all_ids(), after.all_ids()
    assert sorted(row.new for row in made if row.new is not None) == sorted(new.values())
    assert {row.token for row in made if row.kind == "dropped"} == old.keys() - new.keys()
    whole = loaded(base(name))
    for row in made:
        if row.kind == "copied":
            assert old[row.token] == row.old and new[row.token] == row.new and row.parts == [(row.old, 1.0)]
        if row.kind == "mean of parts":
            assert sum(weight for _, weight in row.parts) == pytest.approx(1)
            if name == "bpe":
                text = row.token.replace("Ġ", " ")
                assert [part for part, _ in row.parts] == whole.encode_ids(text).tolist()


def test_files_of_a_map_hold_the_same_rows():
    made = rows(Tables.of(base("bpe")), Tables.of(edited("bpe")))
    listed = json.loads(file_of(made, "json"))
    assert [(one["old"], one["new"], one["parts"]) for one in listed] == [
        (row.old, row.new, [part for part, _ in row.parts]) for row in made
    ]
    assert pq.read_table(io.BytesIO(file_of(made, "parquet"))).to_pylist() == listed
    arrays = np.load(io.BytesIO(file_of(made, "npz")))
    starts = arrays["part_starts"]
    for at, row in enumerate(made):
        parts = arrays["parts"][starts[at] : starts[at + 1]].tolist()
        weights = arrays["weights"][starts[at] : starts[at + 1]].tolist()
        assert list(zip(parts, weights, strict=True)) == row.parts
        assert arrays["new"][at] == (-1 if row.new is None else row.new)
    assert len(file_of(made, "csv").decode().split("\n")) == len(made) + 2
    assert pq.read_table(io.BytesIO(file_of([], "parquet"))).num_rows == 0


def test_a_renamed_token_is_the_same_row():
    tables = Tables.of(base("wordpiece"))
    first, second = (
        Step("rename_token", {"token": tables.ids["[PAD]"], "to": "<a>"}),
        Step("rename_token", {"token": "<a>", "to": "<b>"}),
    )
    between = Tables.of(words.rename_token(base("wordpiece"), "[PAD]", "<a>"))
    made = words.rename_token(between.to_definition(), "<a>", "<b>")
    renamed = renamed_by(between, second, renamed_by(tables, first))
    assert renamed == {"<b>": "[PAD]"}
    found = changes(tables, Tables.of(made), renamed)
    assert (found.added, found.removed, found.moved) == ([], [], [])


def test_checks_name_what_is_lost_and_moved():
    before, after = Tables.of(base("wordpiece")), Tables.of(removal.trim(base("wordpiece"), {}, keep_characters=False))
    by_name = {check.name: check for check in checks.quick_checks(before, after, changes(before, after))}
    assert by_name["ids"].passed and not by_name["encodes"].passed and "a" in by_name["encodes"].examples
    moved = Tables.of(edited("bpe"))
    by_name = {
        check.name: check
        for check in checks.quick_checks(Tables.of(base("bpe")), moved, changes(Tables.of(base("bpe")), moved))
    }
    assert not by_name["ids"].passed and by_name["special_tokens"].passed and by_name["encodes"].passed


def test_dead_merges_and_unreachable_tokens_are_found():
    from lab_app import engine
    from lab_app.editing import stages

    before = base("bpe")
    after = words.add_words(before, ["Mars"])
    dead = stages.lower_case(after)
    index = {id(each): engine.VocabularyIndex(loaded(each)) for each in (before, after, dead)}
    reachable, merges = checks.audits(index[id(before)], index[id(after)], Tables.of(before), Tables.of(after))
    assert reachable.passed and merges.passed
    reachable, merges = checks.audits(index[id(after)], index[id(dead)], Tables.of(after), Tables.of(dead))
    assert "A" in reachable.examples and any(merge.startswith("ĠM") for merge in merges.examples)
