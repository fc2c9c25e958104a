"""What holds for every text, whatever the tokenizer: round trip, spans, batches, units."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_app.engine import Tokenizer
from tests.generators import texts

SMALL_BERT = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "a",
    "b",
    "the",
    "##a",
    "##b",
    "##s",
    "日",
    ".",
    "'",
    "1",
    "##1",
]

any_text = st.one_of(
    st.text(max_size=200),
    st.integers(0, 2**32).map(lambda seed: next(texts(1, seed))),
)


@pytest.fixture(scope="module", params=["gpt2", "cl100k_base", "o200k_base"])
def lossless(request: pytest.FixtureRequest) -> Tokenizer:
    return Tokenizer.builtin(request.param)


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    path = tmp_path_factory.mktemp("bert") / "vocab.txt"
    path.write_text("\n".join(SMALL_BERT), encoding="utf-8")
    return Tokenizer.from_file(path)


@given(text=any_text)
def test_byte_level_gives_the_text_back(lossless, text):
    encoding = lossless.encode(text)
    assert lossless.decode(encoding.ids, skip_special_tokens=False) == text
    assert lossless.decode_bytes(encoding.ids, skip_special_tokens=False) == text.encode()
    assert lossless.lossy is None


@given(text=any_text)
def test_byte_level_spans_are_the_bytes_of_the_tokens(lossless, text):
    encoding = lossless.encode(text, specials="text")
    utf8 = text.encode()
    assert [utf8[start:end] for start, end in encoding.span_utf8] == [
        lossless.token_bytes(int(id)) for id in encoding.ids
    ]
    ids, ends = lossless.encode_with_ends(text)
    assert ids.tolist() == encoding.ids.tolist()
    assert ends.tolist() == encoding.span_utf8[:, 1].tolist()


@given(text=any_text)
def test_spans_are_ordered_and_inside_in_every_unit(lossless, bert, text):
    units = {"span_utf8": len(text.encode()), "span_char": len(text), "span_utf16": len(text.encode("utf-16-le")) // 2}
    for tokenizer in (lossless, bert):
        encoding = tokenizer.encode(text, add_special_tokens=False)
        for name, length in units.items():
            spans = getattr(encoding, name).astype(np.int64)
            assert (spans[:, 0] <= spans[:, 1]).all(), name
            assert (np.diff(spans[:, 0]) >= 0).all(), name
            assert spans.size == 0 or spans.max() <= length, name


@given(text=any_text)
def test_spans_of_whole_characters_agree_between_units(lossless, bert, text):
    for tokenizer in (lossless, bert):
        encoding = tokenizer.encode(text, add_special_tokens=False)
        rows = zip(
            encoding.span_utf8.tolist(),
            encoding.span_char.tolist(),
            encoding.span_utf16.tolist(),
            encoding.flags,
            strict=True,
        )
        for (start8, end8), (start, end), (start16, end16), flags in rows:
            piece = text.encode()[start8:end8]
            units = text.encode("utf-16-le")[2 * start16 : 2 * end16].decode("utf-16-le")
            assert units == text[start:end]
            inside = bool(flags & 24)
            assert (piece in text[start:end].encode()) if inside else (piece == text[start:end].encode())


@given(batch=st.lists(any_text, max_size=8), threads=st.integers(0, 3))
def test_a_batch_is_its_texts(lossless, bert, batch, threads):
    for tokenizer in (lossless, bert):
        together = tokenizer.encode_batch(batch, threads=threads)
        assert [e.ids.tolist() for e in together] == [tokenizer.encode(text).ids.tolist() for text in batch]
        ids, row_starts = tokenizer.encode_ids_batch(batch, threads=threads)
        assert row_starts[0] == 0 and row_starts[-1] == len(ids) and len(row_starts) == len(batch) + 1
        for n, text in enumerate(batch):
            assert ids[row_starts[n] : row_starts[n + 1]].tolist() == tokenizer.encode_ids(text).tolist()


@given(text=st.text(alphabet="ab1.' \u0301日éÀ\n\t", max_size=60))
def test_words_are_cut_or_unknown_never_lost(bert, text):
    encoding = bert.encode(text, add_special_tokens=False, specials="text")
    covered = "".join(text[start:end] for start, end in encoding.span_char)
    dropped = set(" \n\t\u0301")
    assert [c for c in covered if c not in dropped] == [c for c in text if c not in dropped]
