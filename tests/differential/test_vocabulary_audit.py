"""What the audit says of a vocabulary, held against `tokenizers`: the texts it names, and a hunt for what it rules out.

Not here: small vocabularies over every short text (`engine_rs/inspect/src/vocabulary/audit/tests.rs`).
"""

from pathlib import Path

import pytest
import tokenizers

from lab_app.engine import Tokenizer, VocabularyIndex
from tests.differential.test_small_models import TEXTS, assert_all_values, one_in, reference_encodes, trained
from tests.generators import texts

CONFIGURATIONS = one_in(11, first=2)
NASTY = ["".join(chr(code) for code in range(start, start + 64) if not 0xD800 <= code < 0xE000) for start in range(0, 0x3000, 64)]  # fmt: skip
HUNT = [*TEXTS, *texts(250, seed=77), *NASTY, *"aAzZ09é日\u0301", "<0xE6>", "<0x41>", "##s", "[UNK]", "the</w>"]


def ids_of(reference: tokenizers.Tokenizer, text: str) -> set[int]:
    encoding = reference_encodes(reference, text, None)
    return set() if encoding is None else set(encoding.ids)


def test_every_stage_is_among_the_configurations():
    assert_all_values(CONFIGURATIONS)


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=" | ".join)
def test_verdicts_hold(configuration: tuple[str, ...], tmp_path: Path):
    whole = trained(*configuration)
    whole.save(str(tmp_path / "tokenizer.json"))
    reference = tokenizers.Tokenizer.from_str(whole.to_str())
    reference.post_processor = tokenizers.processors.Sequence([])  # the audit is of texts without a template
    tokenizer = Tokenizer.from_file(tmp_path / "tokenizer.json")
    index = VocabularyIndex(tokenizer)
    index.audit()
    for id in index.search(verdicts=["reachable"])["ids"].tolist():
        verdict, _, _, text = index.finding(id)
        assert verdict == "reachable" and text is not None and id in ids_of(reference, text), (id, text)
    lost = set(index.search(verdicts=["unreachable"])["ids"].tolist())
    for text in [*HUNT, *(spoken(tokenizer, id) for id in lost)]:
        wrong = ids_of(reference, text) & lost
        assert not wrong, (text, [(id, index.finding(id), tokenizer.token_bytes(id)) for id in wrong])


def spoken(tokenizer: Tokenizer, id: int) -> str:
    """A text with the token's own in it, between letters."""
    return f"x{tokenizer.token_bytes(id).decode(errors='ignore')} {tokenizer.decode([id])}x"
