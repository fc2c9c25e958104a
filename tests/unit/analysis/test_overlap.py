from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_app.analysis.overlap import overlap, surface
from lab_app.analysis.tokenizer_diff import changes, entries_of, merges, merges_of

vocabularies = st.dictionaries(
    st.binary(max_size=2), st.lists(st.integers(0, 5), min_size=1, max_size=3, unique=True), max_size=8
)


@given(vocabularies, vocabularies)
def test_the_parts_of_two_vocabularies_add_up(a, b):
    found = overlap(a, b)
    tokens = [Counter(token for token, ids in each.items() for _ in ids) for each in (a, b)]
    assert found.shared == (tokens[0] & tokens[1]).total()
    assert (found.only_a, found.only_b) == ((tokens[0] - tokens[1]).total(), (tokens[1] - tokens[0]).total())
    assert found.only_a + found.shared == found.size_a == sum(map(len, a.values()))
    assert found.shared + found.only_b == found.size_b == sum(map(len, b.values()))
    union = (tokens[0] | tokens[1]).total()
    assert found.jaccard == (found.shared / union if union else None)
    pairs = [{(token, id) for token, ids in each.items() for id in ids} for each in (a, b)]
    assert found.same_id == len(pairs[0] & pairs[1])


@pytest.mark.parametrize(
    ("token", "prefix", "expected"),
    [(b"the", b"##", b" the"), (b"##s", b"##", b"s"), (b"##", b"##", b""), (b"##s", None, b"##s"), (b"", None, b"")],
)
def test_surfaces(token, prefix, expected):
    assert surface(token, prefix) == expected


@given(vocabularies, vocabularies)
def test_changes_turn_one_into_the_other(a, b):
    found = changes(a, b)
    turned = {key: value for key, value in a.items() if key not in found.removed}
    turned |= {key: b[key] for key in [*found.added, *found.changed]}
    assert turned == b and found.kept + len(found.changed) + len(found.removed) == len(a)


pairs = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), max_size=6, unique=True)


@given(pairs, pairs)
def test_merges_differ_where_the_lists_do(a, b):
    found = merges(a, b)
    if a == b:
        assert found.first_difference is None and not found.removed and not found.added
    else:
        at = found.first_difference
        assert a[:at] == b[:at] and a[at : at + 1] != b[at : at + 1]
    assert sorted([*a, *found.added]) == sorted([*b, *found.removed])


def test_both_spellings_of_merges_and_of_vocabularies_are_read():
    assert merges_of({"model": {"merges": ["a b", ["c d", "e"]]}}) == [("a", "b"), ("c d", "e")]
    assert merges_of({"model": {}}) == []
    assert entries_of({"model": {"vocab": {"a": 3}}}) == {"a": 3}
