"""The hunt pairs every normalizer with every pretokenizer scheme. A short one runs with every test run."""

import pytest

from tests.hunt.compare import hunt
from tests.hunt.pairs import CONTROLS, MODELS, NORMALIZERS, PRETOKENIZERS, pair, pairs
from tests.scale import scaled


@pytest.mark.parametrize(("name", "load"), list(pairs()), ids=[name for name, _ in pairs()])
def test_no_pair_differs(shared, name, load):
    del shared
    found = hunt(name, load, scaled(25), 5, lambda found: None)
    assert found.clean, found.as_json()


@pytest.mark.parametrize("scheme", [name for name in PRETOKENIZERS if "Metaspace" in name])
@pytest.mark.parametrize("normalizer", [name for name in NORMALIZERS if "Precompiled" in name])
def test_a_deleted_start_counts_as_the_start(shared, normalizer: str, scheme: str):
    """`tokenizers` does not see that rules of SentencePiece deleted something there, so "first" puts its mark."""
    del shared
    ours, theirs = pair(normalizer, scheme, next(iter(MODELS)))
    for control in CONTROLS:
        for text in [
            f"{control}a",
            f"{control * 3}a b",
            f"{control} a",
            f" {control}a",
            f"<|x|>{control}a",
            f"{control}<|x|>a",
            f"{control}fox a",
            f"{control}\ufb01b",
            f"{control}e\u0301fox",
        ]:
            first, second = ours.encode(text), theirs.encode(text)
            assert first.ids.tolist() == second.ids, (text, first.ids.tolist(), second.ids)


def test_spans_are_true_places_after_a_deleted_start(shared):
    del shared
    ours, _ = pair("Precompiled", "Metaspace first", "wordlevel")
    assert ours.encode("\x01\x02the fox").span_char.tolist()[0] == [2, 5]
