"""Groups of tokens that overlap, beside a twin that tries every two."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lab_app.analysis.alignment import KINDS, Alignment, groups


@st.composite
def tokens(draw):
    """Spans by start; some share a character, some leave a gap, some have no bytes."""
    place, found = 0, []
    for length, back in draw(st.lists(st.tuples(st.integers(0, 4), st.integers(-2, 2)), max_size=12)):
        start = max(place - max(back, 0), found[-1][0] if found else 0) - min(back, 0)
        found.append((start, start + length))
        place = max(place, start + length)
    ids = draw(st.lists(st.integers(0, 3), min_size=len(found), max_size=len(found)))
    return np.array(ids, np.uint32), np.array(found, np.uint32).reshape(-1, 2)


def overlap(one, other):
    return max(0, min(int(one[1]), int(other[1])) - max(int(one[0]), int(other[0])))


@given(tokens(), tokens())
def test_tokens_are_in_one_group_if_they_overlap_directly_or_through_others(a, b):
    spans = [tuple(map(int, span)) for span in (*a[1], *b[1])]
    parent = list(range(len(spans)))

    def root(n):
        return n if parent[n] == n else root(parent[n])

    for n, one in enumerate(spans):
        for m, other in enumerate(spans[:n]):
            empty_inside = min(one, other, key=lambda span: span[1] - span[0])
            inside = empty_inside[0] == empty_inside[1] and any(
                span[0] < empty_inside[0] < span[1] for span in (one, other)
            )
            if overlap(one, other) or inside:
                parent[root(n)] = root(m)
    found = np.concatenate(groups(a[1], b[1])).tolist()
    for n in range(len(spans)):
        for m in range(n):
            assert (found[n] == found[m]) == (root(n) == root(m)), (spans[n], spans[m])


@given(st.lists(st.tuples(tokens(), tokens()), max_size=3))
def test_pairs_are_the_bytes_that_both_cover(texts):
    alignment, expected, listed = Alignment(), Counter(), 0
    for (a_ids, a), (b_ids, b) in texts:
        found = alignment.add(a_ids, a, b_ids, b)
        assert [n for group, _ in found for n in group] == list(range(len(a)))
        assert [n for _, group in found for n in group] == list(range(len(b)))
        listed += len(found)
        for id, span in zip(a_ids.tolist(), a, strict=True):
            for other, there in zip(b_ids.tolist(), b, strict=True):
                if shared := overlap(span, there):
                    expected[id, other] += shared
    pairs = alignment.pairs()
    assert (
        dict(zip(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True), pairs.bytes.tolist(), strict=True)) == expected
    )
    assert alignment.kinds.total() == listed and set(alignment.kinds) <= set(KINDS)
    assert alignment.pairs() is not None and alignment.pairs().a.tolist() == sorted(pairs.a.tolist())
    for id in set(pairs.a.tolist()):
        assert np.isclose(pairs.weights()[pairs.a == id].sum(), 1)
