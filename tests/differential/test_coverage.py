"""A vocabulary that is cut to some characters gives the tokens of the whole one, for every text of these characters.

Not here: that other texts are refused, which the engine for pages does (`test_page_engine.py`).
"""

import json
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
    @settings(max_examples=scaled(20), deadline=None, database=None)
    def check(text: str) -> None:
        same(whole, cut, text)

    check()


def bpe(folder: Path, vocab: list[str], merges: list[tuple[str, str]], **stages: object) -> Tokenizer:
    """A tokenizer of a few merges."""
    model = {"type": "BPE", "vocab": {token: id for id, token in enumerate(vocab)}, "merges": merges}
    model |= {"byte_fallback": stages.pop("byte_fallback", False)}
    path = folder / "tokenizer.json"
    path.write_text(json.dumps({"version": "1.0", "added_tokens": [], "model": model, **stages}), encoding="utf-8")
    return Tokenizer.from_file(path)


def test_a_mark_whose_bytes_are_symbols_stays(tmp_path: Path):
    """Metaspace writes the mark, whose bytes ByteLevel then spells: no text has them, and merges join them."""
    gpt2 = Tokenizer.builtin("gpt2")
    alphabet = [gpt2.id_to_token(id) for id in range(256)]
    mark = [gpt2.id_to_token(gpt2.token_to_id(bytes([byte])) or 0) for byte in "▁".encode()]
    merges = [(mark[0], mark[1]), ("".join(mark[:2]), mark[2]), ("".join(mark), "l"), ("".join(mark) + "l", "o")]
    steps = [
        {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False},
    ]
    whole = bpe(
        tmp_path,
        alphabet + [a + b for a, b in merges],
        merges,
        pre_tokenizer={"type": "Sequence", "pretokenizers": steps},
        decoder={"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False},
    )
    assert whole.encode("lo").ids.tolist() == [259]
    cut = whole.covering("lo ")
    for text in ("lo", "lo lo", "o l", ""):
        same(whole, cut, text)


def test_merges_of_byte_tokens_stay(tmp_path: Path):
    """A character that the vocabulary lacks becomes the tokens of its bytes, which merges may join, with letters, too."""
    alphabet = [f"<0x{byte:02X}>" for byte in range(256)]
    merges = [("<0xC3>", "<0xA9>"), ("a", "<0xC3><0xA9>"), ("<0xD0>", "<0xB0>")]
    whole = bpe(tmp_path, [*alphabet, "a", "ж", "ш"] + [x + y for x, y in merges], merges, byte_fallback=True)
    cut = whole.covering("aé")
    assert whole.encode("aé").ids.tolist() == [260] and len(cut) < len(whole)
    for text in ("aé", "é", "éa", "ééaa"):
        same(whole, cut, text)
