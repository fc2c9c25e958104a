"""The qwen2 folder (vocabulary, merges, configuration) against `tokenizers` put together from the same parts."""

import json
from pathlib import Path

import pytest
import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers

from lab_app.engine import LoadError, Tokenizer
from tests.differential.conftest import first_difference
from tests.generators import texts
from tests.scale import scaled

PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def reference_of(folder: Path) -> tokenizers.Tokenizer:
    """As transformers' converter of Qwen2 puts it together."""
    model = models.BPE.from_file(str(folder / "vocab.json"), str(folder / "merges.txt"))
    reference = tokenizers.Tokenizer(model)
    reference.normalizer = normalizers.NFC()
    split = pre_tokenizers.Split(tokenizers.Regex(PATTERN), "isolated")
    reference.pre_tokenizer = pre_tokenizers.Sequence(
        [split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    reference.decoder = decoders.ByteLevel()
    added = json.loads((folder / "tokenizer_config.json").read_text())["added_tokens_decoder"]
    reference.add_special_tokens([token["content"] for _, token in sorted(added.items())])
    return reference


def test_the_folder_equals_its_parts(shared: Path, corpus):
    folder = shared / "vocab" / "qwen2"
    ours, theirs = Tokenizer.from_file(folder), reference_of(folder)
    assert ours.special_tokens == {"<|endoftext|>": 151643, "<|im_start|>": 151644, "<|im_end|>": 151645}
    for text in [*texts(scaled(600), seed=21, tokens=["<|im_end|>", "e\u0301"]), *(text[:8000] for _, text in corpus)]:
        first, second = ours.encode(text).ids.tolist(), theirs.encode(text).ids
        assert first == second, first_difference(text, first, second)
        assert ours.decode(first) == theirs.decode(second)


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        ("{", "not JSON"),
        ('{"tokenizer_class": "XTokenizer"}', "so its split pattern"),
        ('{"added_tokens_decoder": {"x": {}}}', "the name is not an id"),
        ('{"added_tokens_decoder": {"9": {"content": "<x>", "new": 1}}}', "the field is not known"),
    ],
)
def test_a_configuration_that_is_not_understood_is_an_error(tmp_path: Path, config: str, problem: str):
    from tests.tiny import vocab_and_merges

    path = vocab_and_merges(tmp_path)
    (tmp_path / "tokenizer_config.json").write_text(config)
    with pytest.raises(LoadError, match=problem) as raised:
        Tokenizer.from_file(path)
    assert raised.value.file == "tokenizer_config.json"
