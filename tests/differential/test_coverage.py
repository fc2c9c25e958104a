"""A vocabulary that is cut to some characters gives the tokens of the whole one, for every text of these characters.

Not here: that other texts are refused, which the engine for pages does (`test_page_engine.py`).
"""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_app.engine import EncodeError, Tokenizer
from tests.differential.vocabularies import ALL, Vocabulary
from tests.scale import scaled

SETS = {
    "ascii": "".join(map(chr, range(32, 127))) + "\n\t",
    "some letters": "aeinorst .",
    "accents": "aeiouéàüñ’ -\n",
    "scripts": "aо еив日本語한국ािक 12",
}


def same(whole: Tokenizer, cut: Tokenizer, text: str) -> None:
    """Checks ids, spans and the way back."""
    try:
        expected = whole.encode(text)
    except EncodeError as error:
        with pytest.raises(EncodeError, match=re.escape(str(error))):
            cut.encode(text)
        return
    found = cut.encode(text)
    assert found.ids.tolist() == expected.ids.tolist(), text
    assert found.span_utf8.tolist() == expected.span_utf8.tolist(), text
    assert cut.decode(found.ids) == whole.decode(expected.ids)


def texts_of(characters: str) -> st.SearchStrategy[str]:
    """Texts with words that come again."""
    words = st.lists(st.text(st.sampled_from(characters), max_size=12), max_size=8)
    return st.one_of(st.text(st.sampled_from(characters), max_size=60), words.map(" ".join))


@pytest.mark.parametrize("characters", SETS.values(), ids=SETS)
@pytest.mark.parametrize("vocabulary", ALL, ids=lambda vocabulary: vocabulary.name)
def test_texts_of_these_characters_have_the_same_tokens(vocabulary: Vocabulary, characters: str, shared: Path):
    whole = vocabulary.load(shared)
    cut = whole.covering(characters + " ")
    if cut is None:
        assert vocabulary.name.endswith((".model", ".spm")) or "gguf" in vocabulary.name
        return
    assert len(cut) < len(whole) and cut.vocab_size <= whole.vocab_size
    if vocabulary.name.endswith("tokenizer.json"):
        assert cut.merge_count == whole.merge_count, "listed merges keep their ranks"

    @given(texts_of(characters + " "))
    @settings(max_examples=scaled(40), deadline=None, database=None)
    def check(text: str) -> None:
        same(whole, cut, text)

    check()
