"""Against Hugging Face `tokenizers`: the tokenizer.json files of well-known models, ids, spans and decoding.

Not here: tokenizers made for the test (test_small_models.py), other files of the same models (test_tokenizers.py).
"""

import json
from pathlib import Path

import pytest
import tokenizers

from lab_app.engine import LoadError, Tokenizer
from tests.differential.conftest import first_difference
from tests.generators import texts
from tests.scale import scaled, step

NAMES = ["albert-base-v2", "bert-base-cased", "bert-base-uncased", "clip", "gpt2", "llama2", "roberta-base", "t5"]

Both = tuple[Tokenizer, tokenizers.Tokenizer]


def reference_of(path: Path) -> tokenizers.Tokenizer:
    """The reference, without the truncation and padding of the file: the engine does them when asked."""
    reference = tokenizers.Tokenizer.from_file(str(path))
    reference.no_truncation()
    reference.no_padding()
    return reference


@pytest.fixture(scope="module", params=NAMES)
def both(request: pytest.FixtureRequest, shared: Path) -> Both:
    path = shared / "vocab" / request.param / "tokenizer.json"
    return Tokenizer.from_file(path), reference_of(path)


def moves_spans(text: str, reference: tokenizers.Tokenizer) -> bool:
    """Whether the reference's spans are wrong: where SentencePiece rules take characters away at the start of a text, or
    after a special token, it moves the spans of all that follows. The engine's are right."""
    if type(reference.normalizer).__name__ != "Precompiled":
        return False
    starts = [text] + [
        text.split(special, 1)[1] for special in reference.get_vocab() if special[:1] == "<" and special in text
    ]
    return any(start and not reference.normalizer.normalize_str(start[0]) for start in starts)


def assert_same(both: Both, batch: list[str], specials: bool) -> None:
    tokenizer, reference = both
    ours = tokenizer.encode_batch(batch, add_special_tokens=specials)
    theirs = reference.encode_batch(batch, add_special_tokens=specials)
    for text, mine, other in zip(batch, ours, theirs, strict=True):
        ids = mine.ids.tolist()
        assert ids == other.ids, first_difference(text, ids, other.ids)
        assert mine.type_ids.tolist() == other.type_ids
        assert mine.word_ids == other.word_ids, text[:300]
        assert mine.special_tokens_mask.tolist() == other.special_tokens_mask
        spans = [tuple(span) for span in mine.span_char.tolist()]
        if spans != other.offsets and not moves_spans(text, reference):
            wrong = [pair for pair in zip(spans, other.offsets, strict=True) if pair[0] != pair[1]]
            pytest.fail(f"spans (ours, theirs) {wrong[:5]} in {text[:300]!r}")


def test_generated_texts(both: Both):
    tokens = sorted(both[1].get_vocab())
    batch = list(texts(scaled(500), seed=3, tokens=tokens))
    assert_same(both, batch, specials=True)
    assert_same(both, batch, specials=False)


def test_corpus(both: Both, corpus: list[tuple[str, str]], corpus_lines: list[str]):
    assert_same(both, corpus_lines[:: step(24)], specials=True)
    assert_same(both, [text[: scaled(8_000)] for _, text in corpus], specials=False)


def test_pairs(both: Both):
    tokenizer, reference = both
    for text, pair in [("one two", "Three naïve"), ("", ""), (" a", "b<mask>"), ("", "x")]:
        ours, theirs = tokenizer.encode(text, pair), reference.encode(text, pair)
        assert ours.ids.tolist() == theirs.ids
        assert ours.type_ids.tolist() == theirs.type_ids
        assert ours.sequence_ids == theirs.sequence_ids
        assert [tuple(span) for span in ours.span_char.tolist()] == theirs.offsets


def test_decoding(both: Both):
    tokenizer, reference = both
    for text in texts(scaled(750), seed=4, tokens=sorted(reference.get_vocab())):
        ids = reference.encode(text).ids
        for skip in (True, False):
            ours = tokenizer.decode(ids, skip_special_tokens=skip)
            assert ours == reference.decode(ids, skip_special_tokens=skip), ids


def test_every_token_decodes(both: Both):
    tokenizer, reference = both
    for id in range(0, tokenizer.vocab_size, 7):
        assert tokenizer.decode([id, id], skip_special_tokens=False) == reference.decode(
            [id, id], skip_special_tokens=False
        )


def test_written_files_are_the_same_tokenizer(both: Both, tmp_path: Path):
    tokenizer, reference = both
    tokenizer.to_file(tmp_path / "tokenizer.json")
    again = Tokenizer.from_file(tmp_path)
    again.to_file(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "tokenizer.json").read_bytes()
    theirs = reference_of(tmp_path / "tokenizer.json")
    assert theirs.get_vocab() == reference.get_vocab()
    for text in texts(scaled(300), seed=5, tokens=sorted(reference.get_vocab())):
        expected = reference.encode(text)
        assert theirs.encode(text).ids == expected.ids == again.encode(text).ids.tolist()
        assert theirs.encode(text).offsets == expected.offsets


def test_long_texts_take_time_in_proportion(shared: Path):
    # The whole text is one pretoken: 200 kB would take minutes were merging quadratic.
    tokenizer = Tokenizer.from_file(shared / "vocab" / "llama2" / "tokenizer.json")
    text = "aab " * 50_000
    assert tokenizer.decode(tokenizer.encode(text).ids) == text


def test_what_the_reference_refuses_is_refused(shared: Path):
    with pytest.raises(LoadError) as caught:
        Tokenizer.from_file(shared / "vocab" / "malformed" / "merges-is-object" / "tokenizer.json")
    assert caught.value.path == "model.merges"


def test_unknown_fields_are_refused(tmp_path: Path):
    document = {"model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}, "colour": "blue"}
    (tmp_path / "tokenizer.json").write_text(json.dumps(document))
    with pytest.raises(LoadError, match='colour: the field is not known; it is "blue"'):
        Tokenizer.from_file(tmp_path)
