"""Sessions come back as they were saved, and a run of today is compared with that of then."""

import numpy as np
import pytest

from lab_app.errors import BadValue, NotFound, TooLarge
from lab_app.services.lab import Lab
from lab_app.services.sessions import sessions
from lab_app.services.text.encode import encode
from lab_app.services.tokenizers.tokenizers import add, remove
from lab_app.settings import Settings
from lab_app.store import sessions as stored
from lab_app.version import lab_version
from tests import tiny

TEXT = "Hello, world 日本語 👩‍🔬\n<|endoftext|>"


@pytest.fixture
def lab(tmp_path):
    lab = Lab(Settings(data_dir=tmp_path / "data", offline=True))
    add(lab, tiny.rank_file(tmp_path / "a"), id="mine", pattern="gpt2")
    return lab


def test_a_session_comes_back_as_it_was(lab):
    id = sessions.save(lab, " Two tokenizers ", ["gpt2", "mine"], TEXT, specials="text", view={"screen": "compare"}).id
    found = sessions.load(lab, id)
    assert (found.name, found.text) == ("Two tokenizers", TEXT)
    assert (found.add_special_tokens, found.specials, found.view) == (True, "text", {"screen": "compare"})
    expected = encode(lab, "gpt2", TEXT, specials="text").ids
    assert [each.sha256 for each in found.results] == [lab.catalog.entry(id).sha256 for id in ("gpt2", "mine")]
    assert np.array_equal(stored.load(lab.database, id).results[0].ids, expected)
    (line,) = sessions.list_sessions(lab).sessions
    assert line.results == found.results and line.results[0].count == expected.size
    assert (line.add_special_tokens, line.specials, line.lab_version) == (True, "text", lab_version())
    assert [each.origin for each in line.results] == ["OpenAI, r50k_base.tiktoken", None], "no path of this machine"
    assert line.text_characters == len(TEXT) and TEXT.startswith(line.beginning)


def test_a_session_of_an_older_lab_has_no_provenance(lab):
    options = {"add_special_tokens": True, "specials": "text", "view": {}}
    id = stored.save(lab.database, "old", options, "a", [stored.StoredResult("gpt2", "f" * 64, np.array([64]))])
    (line,) = sessions.list_sessions(lab).sessions
    assert line.lab_version is None and (line.results[0].sha256, line.results[0].origin) == ("f" * 64, None)
    found = sessions.run_again(lab, id)
    assert found.lab_version_before is None and found.changes[0].same and found.changes[0].files_changed


def test_lists_and_deletes(lab):
    first, second = (sessions.save(lab, name, ["gpt2"], name).id for name in ("one", "two"))
    assert [line.id for line in sessions.list_sessions(lab).sessions] == [second, first]
    sessions.delete(lab, first)
    assert [line.name for line in sessions.list_sessions(lab).sessions] == ["two"]
    for call in (sessions.load, sessions.delete, sessions.run_again):
        with pytest.raises(NotFound, match=str(first)):
            call(lab, first)
    assert sessions.save(lab, "three", ["gpt2"], "").id > second, "a deleted session's address is not given away"


def test_what_is_unchanged_is_said_to_be(lab):
    id = sessions.save(lab, "same", ["gpt2", "mine"], TEXT).id
    for change in sessions.run_again(lab, id).changes:
        assert change.same is True and change.first_difference is None and change.files_changed is False
        assert change.count_before == change.count_now


def test_a_tokenizer_that_changed_or_went_is_named(lab, tmp_path):
    id = sessions.save(lab, "then", ["mine", "gpt2"], "a hello").id
    remove(lab, "mine")
    gone, same = sessions.run_again(lab, id).changes
    assert gone.same is None and gone.count_now is None and "mine" in gone.problem and same.same is True
    # Under the same id, a vocabulary without the merges.
    lines = tiny.rank_file(tmp_path / "b").read_text().splitlines()[:256]
    (tmp_path / "c.tiktoken").write_text("\n".join(lines) + "\n")
    add(lab, tmp_path / "c.tiktoken", id="mine", pattern="gpt2")
    change = sessions.run_again(lab, id).changes[0]
    assert change.same is False and change.files_changed is True and change.problem is None
    assert change.count_now > change.count_before and change.first_difference == 2


@pytest.mark.parametrize(
    ("name", "tokenizers", "text", "error"),
    [
        (" ", ["gpt2"], "a", BadValue),
        ("x" * 201, ["gpt2"], "a", BadValue),
        ("a", [], "a", BadValue),
        ("a", ["gpt2"] * 9, "a", BadValue),
        ("a", ["gpt2", "GPT2"], "a", BadValue),
        ("a", ["gpt9"], "a", NotFound),
        ("a", ["gpt2"], "x" * 10_000_001, TooLarge),
        ("a", ["gpt2"], "\ud83d", BadValue),
    ],
)
def test_what_cannot_be_saved_is_refused_and_nothing_is_kept(lab, name, tokenizers, text, error):
    with pytest.raises(error):
        sessions.save(lab, name, tokenizers, text)
    assert sessions.list_sessions(lab).sessions == []
