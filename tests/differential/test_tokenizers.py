"""Against Hugging Face `tokenizers`: merge lists and vocab.txt, ids and spans.

Not here: the corpus, which these forms encode as their tokenizer.json does (test_tables.py, test_tokenizer_json.py).
"""

from pathlib import Path

import pytest
import tokenizers
from tokenizers import processors

from lab_app.engine import LoadError, Tokenizer
from tests.differential.conftest import first_difference
from tests.generators import texts
from tests.scale import scaled
from tests.tiny import vocab_and_merges

# Folder of the vocabulary, file the engine reads.
MERGE_LISTS = [("gpt2", "encoder.json"), ("roberta-base", "vocab.json")]
WORDPIECE = [("bert-base-uncased", "vocab.txt"), ("bert-base-cased", "vocab.txt")]


def assert_same(tokenizer: Tokenizer, reference: tokenizers.Tokenizer, batch: list[str]) -> None:
    """Equal ids, and equal spans in code points."""
    ours = tokenizer.encode_batch(batch, add_special_tokens=False)
    theirs = reference.encode_batch(batch, add_special_tokens=False)
    for text, mine, other in zip(batch, ours, theirs, strict=True):
        ids = mine.ids.tolist()
        assert ids == other.ids, first_difference(text, ids, other.ids)
        # Millions of them: a list of their starts and one of their ends take a quarter of the time of a list for each.
        spans = list(zip(*mine.span_char.T.tolist(), strict=True))
        assert spans == other.offsets, (
            f"{text[:300]!r}: {[x for x in zip(spans, other.offsets, strict=True) if x[0] != x[1]][:5]}"
        )


def load(folder: str, file: str, vocab: Path) -> tuple[Tokenizer, tokenizers.Tokenizer]:
    reference = tokenizers.Tokenizer.from_file(str(vocab / folder / "tokenizer.json"))
    if (folder, file) in MERGE_LISTS:
        # Its template would cut the space off the spans of tokens; the spans themselves are compared here.
        reference.post_processor = processors.ByteLevel(trim_offsets=False)
    special = {token.content: id for id, token in reference.get_added_tokens_decoder().items()}
    # Merge lists do not say which of their entries are special: the tokenizer.json does.
    given = {"special_tokens": special} if (folder, file) in MERGE_LISTS else {}
    return Tokenizer.from_file(vocab / folder / file, **given), reference


@pytest.fixture(scope="module", params=MERGE_LISTS + WORDPIECE, ids=lambda param: param[0])
def both(request: pytest.FixtureRequest, shared: Path) -> tuple[Tokenizer, tokenizers.Tokenizer]:
    return load(*request.param, shared / "vocab")


@pytest.fixture(scope="module", params=WORDPIECE, ids=lambda param: param[0])
def wordpiece(request: pytest.FixtureRequest, shared: Path) -> tuple[Tokenizer, tokenizers.Tokenizer]:
    return load(*request.param, shared / "vocab")


def test_generated_texts(both):
    tokenizer, reference = both
    vocab = [token.decode() for token in tokenizer.vocab() if token.isascii()]
    assert_same(tokenizer, reference, list(texts(scaled(3000), seed=2, tokens=vocab)))


def test_special_tokens_as_text(both):
    tokenizer, reference = both
    reference.encode_special_tokens = True
    try:
        for special in tokenizer.special_tokens:
            text = f"a {special}b{special}"
            theirs = reference.encode(text, add_special_tokens=False).ids
            assert tokenizer.encode_ids(text, specials="text").tolist() == theirs, special
    finally:
        reference.encode_special_tokens = False


def test_wordpiece_template_and_pairs(wordpiece):
    tokenizer, reference = wordpiece
    for text, pair in [("one two", None), ("one two", "Three naïve"), ("", ""), ("[SEP] a", "b[MASK]"), ("", None)]:
        ours, theirs = tokenizer.encode(text, pair), reference.encode(text, pair)
        assert ours.ids.tolist() == theirs.ids
        assert ours.type_ids.tolist() == theirs.type_ids
        assert ours.sequence_ids == theirs.sequence_ids
        assert ours.word_ids == theirs.word_ids
        assert ours.special_tokens_mask.tolist() == theirs.special_tokens_mask
        assert [tuple(span) for span in ours.span_char.tolist()] == theirs.offsets
        for skip in (True, False):
            assert tokenizer.decode(theirs.ids, skip_special_tokens=skip) == reference.decode(
                theirs.ids, skip_special_tokens=skip
            )


def test_wordpiece_decodes_the_same_text(wordpiece, corpus_lines):
    tokenizer, reference = wordpiece
    for line in corpus_lines[::50]:
        ids = reference.encode(line).ids
        assert tokenizer.decode(ids) == reference.decode(ids)


def test_files_of_another_class_are_not_guessed(tmp_path: Path):
    path = vocab_and_merges(tmp_path)
    (tmp_path / "tokenizer_config.json").write_text('{"tokenizer_class": "UnheardOfTokenizer"}')
    with pytest.raises(LoadError, match="UnheardOfTokenizer"):
        Tokenizer.from_file(path)
