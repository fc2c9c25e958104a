"""Edits of one place, what they change by hand-worked examples, and properties of both."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_app.analysis import perturbations
from lab_app.analysis.perturbations import KINDS, Edit, edit, noisy
from lab_app.analysis.robustness import Change, NoiseRobustness, Reach, change, of_kind, of_noise, reach

TEXT = "the Café e\u0301 naïve cat  sat"
TEXTS = st.text(alphabet="abcA eé\u0301日 .", max_size=40)


@pytest.mark.parametrize("kind", KINDS)
@given(text=TEXTS, seed=st.integers(0, 50))
def test_an_edit_changes_one_place_of_the_text(kind: str, text: str, seed: int):
    found = edit(kind, text, str(seed))
    assert found == edit(kind, text, str(seed))
    if found is None:
        return
    assert 0 <= found.word_start <= found.start <= found.end <= found.word_end <= len(text)
    after = found.applied(text)
    assert after[: found.start] == text[: found.start]
    assert after[found.start + len(found.replacement) :] == text[found.end :]
    if kind != "insert":
        assert after != text
    if kind in ("nfc", "nfd"):
        assert unicodedata.normalize("NFC", after) == unicodedata.normalize("NFC", text)
    if kind == "swap":
        assert sorted(after) == sorted(text)
    lengths = {"delete": -1, "insert": 1, "double_space": 1, "missing_space": -1, "nfd": 1, "nfc": -1}
    assert len(after) - len(text) == lengths.get(kind, 0)


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("swap", "ab", {"ba"}),
        ("swap", "aa", {None}),
        ("delete", "ab", {"a", "b"}),
        ("delete", "a", {None}),
        ("substitute", "ab", {"bb", "aa"}),
        ("case", "a1", {"A1"}),
        ("case", "日", {None}),
        ("double_space", "a b", {"a  b"}),
        ("missing_space", "a b", {"ab"}),
        ("missing_space", "a  b", {None}),
        ("nfd", "xé", {"xe\u0301"}),
        ("nfc", "xe\u0301", {"xé"}),
        ("nfc", "xé", {None}),
        ("homoglyph", "1a", {"1а"}),
    ],
)
def test_edits(kind: str, text: str, expected: set):
    found = {each and each.applied(text) for each in (edit(kind, text, str(seed)) for seed in range(20))}
    assert found == expected


def test_the_edited_word():
    assert edit("double_space", "one two three", "0") in (Edit(3, 3, " ", 0, 7), Edit(7, 7, " ", 4, 13))
    found = perturbations.delete("x one y", perturbations.random.Random(1))
    assert found is not None and (found.word_start, found.word_end) == (2, 5)


@pytest.mark.parametrize(
    ("text", "made", "before", "after", "expected"),
    [
        # ab| cd| ef, the d deleted: ab| c| e|f. 5 touches the edit; 6 is 7 in the original text.
        ("ab cd ef", Edit(4, 5, "", 3, 5), {2, 5}, {2, 4, 6}, (1, 1, 2, 2)),
        # Nothing but the word itself: one| two, o deleted from "two": one| tw.
        ("one two", Edit(6, 7, "", 4, 7), {3}, {3}, (0, 0, 0, 0)),
        # Inside the edited word: abcdef as abc|def, then xbcdef as xb|cdef: 3 is gone, 2 is new, both in the word.
        ("abcdef", Edit(0, 1, "x", 0, 6), {3}, {2}, (2, 0, 2, 2)),
        # Three bytes per character: 日本 語 as 日本| 語, an a inserted at the end: 日|本| 語a. The new boundary is 7 bytes,
        # three characters, from the edit.
        ("日本 語", Edit(4, 4, "a", 3, 4), {6}, {3, 6}, (1, 1, 7, 3)),
        # A boundary inside the second character of 日本 counts that character.
        ("日本 語", Edit(4, 4, "a", 3, 4), {6}, {4, 6}, (1, 1, 6, 3)),
    ],
)
def test_changes_by_hand(text: str, made: Edit, before: set, after: set, expected: tuple):
    found = change(text, made, before, after, (3, 4))
    assert (found.moved, found.moved_outside, found.reach_bytes, found.reach_characters) == expected
    assert (found.tokens_before, found.tokens_after) == (3, 4)


@given(TEXTS, st.integers(0, 20), st.sampled_from(sorted(KINDS)))
def test_a_tokenizer_of_characters_moves_nothing(text: str, seed: int, kind: str):
    """Every character is a token, so the boundaries at unchanged positions are the same."""

    def ends(text: str) -> set[int]:
        return {len(text[:n].encode()) for n in range(1, len(text))}

    made = edit(kind, text, str(seed))
    if made is not None:
        after = made.applied(text)
        found = change(text, made, ends(text), ends(after), (len(text), len(after)))
        assert (found.moved, found.reach_bytes, found.reach_characters) == (0, 0, 0)


def test_figures_of_a_kind_by_hand():
    # Four edits: reaches 0, 0, 6 and 2 bytes; two change the count; 20 tokens become 23.
    changes = [Change(0, 0, 0, 0, 5, 5), Change(0, 0, 0, 0, 5, 5), Change(3, 2, 6, 2, 5, 7), Change(1, 0, 2, 2, 5, 6)]
    found = of_kind("swap", changes, without_place=1)
    assert (found.edits, found.without_place) == (4, 1)
    assert (found.moved_outside, found.moved_outside_share) == (0.5, 0.25)
    assert found.reach_bytes == Reach(2.0, 6, 6) and found.reach_characters == Reach(1.0, 2, 2)
    assert (found.count_changed_share, found.relative_tokens) == (0.5, 23 / 20)


def test_no_edit_is_not_measured_and_never_0():
    found = of_kind("nfc", [], without_place=9)
    assert (found.edits, found.without_place) == (0, 9)
    assert found.moved_outside is found.reach_bytes is found.count_changed_share is found.relative_tokens is None


def test_percentiles_are_values_that_occur():
    assert reach([5]) == Reach(5.0, 5, 5)
    assert reach(list(range(1, 21))).p95 == 19 and reach(list(range(1, 101))).p95 == 95


def test_noise():
    text = "the quick brown fox jumps over the lazy dog " * 200
    assert noisy(text, 0.0, "1") == (text, 0)
    letters = sum(map(str.isalpha, text))
    previous = 0
    for level in (0.05, 0.1, 0.2):
        changed, typos = noisy(text, level, "1")
        assert noisy(text, level, "1") == (changed, typos)
        assert previous < typos and abs(typos / letters - level) < 0.03
        assert [each for each in changed if not each.isalpha()] == [each for each in text if not each.isalpha()]
        previous = typos
    assert of_noise([(0.0, 0, 10, 40), (0.2, 3, 15, 30)]) == [
        NoiseRobustness(0.0, 0, 10, 40, 0.25, 1.0),
        NoiseRobustness(0.2, 3, 15, 30, 0.5, 1.5),
    ]
    assert of_noise([(0.0, 0, 0, 0)])[0].tokens_per_byte is None
