import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_app.analysis.difference import changes, entries_of, merges, merges_of
from lab_app.analysis.overlap import overlap, surface

vocabularies = st.dictionaries(st.binary(max_size=2), st.integers(0, 5), max_size=8)


@given(vocabularies, vocabularies)
def test_overlap_is_that_of_the_sets(a, b):
    found = overlap(a, b)
    assert found.shared == len(a.keys() & b.keys()) and found.same_id == len(a.items() & b.items())
    union = len(a.keys() | b.keys())
    assert found.jaccard == (found.shared / union if union else None)
    assert (found.size_a, found.size_b) == (len(a), len(b))


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
