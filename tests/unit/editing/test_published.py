"""Edits of published tokenizers give the same IDs in `tokenizers` and `tiktoken`, from the files that the lab writes."""

import base64
import json

import pytest
import tiktoken
import tokenizers

from lab_app import engine
from lab_app.editing import removal, words
from lab_app.editing.stages import loaded
from lab_app.editing.tables import Tables
from lab_app.library.definition import definition
from tests.conftest import SHARED

TEXT = "The regolith of Mars, perchlorate; spectrometers regolithic naïve 語 12345  x"
EDITS = {
    "words": lambda made: words.add_words(made, ["regolith", "perchlorate"]),
    "trim": lambda made: removal.trim(made, dict.fromkeys(range(0, 30_000, 3), 1)),
    "trim to a size": lambda made: removal.trim(made, {id: id % 7 for id in range(30_000)}, size=9000),
    "shrink": lambda made: removal.shrink(made, 20_000),
    "shrink and move": lambda made: removal.shrink(made, 20_000, keep_ids=False),
}
GPT2_PATTERN = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_rank_file_is_read_by_tiktoken(edit, tmp_path):
    made = loaded(EDITS[edit](definition(engine.Tokenizer.builtin("gpt2"))))
    made.to_file(tmp_path / "ranks", "tiktoken")
    lines = (line.split() for line in (tmp_path / "ranks").read_bytes().splitlines() if line)
    ranks = {base64.b64decode(token): int(rank) for token, rank in lines}
    theirs = tiktoken.Encoding("edited", pat_str=GPT2_PATTERN, mergeable_ranks=ranks, special_tokens={})
    assert theirs.encode_ordinary(TEXT) == made.encode_ids(TEXT).tolist()


CHAINS = {
    "tokens": [lambda made: words.add_tokens(made, ["<a>", "<b c>"])],
    "tokens, words": [
        lambda made: words.add_tokens(made, ["<a>"]),
        lambda made: words.add_words(made, ["regolith"]),
    ],
    "remove, tokens, words": [
        lambda made: removal.remove(made, [5000], with_built=True),
        lambda made: words.add_tokens(made, ["<a>"]),
        lambda made: words.add_words(made, ["regolith"]),
    ],
    "shrink, tokens": [
        lambda made: removal.shrink(made, 3000),
        lambda made: words.add_tokens(made, ["<a>"]),
    ],
}


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base"])
def test_tokenizers_counts_the_ids_that_the_edits_say(name, chain):
    made = definition(engine.Tokenizer.builtin(name))
    for edit in CHAINS[chain]:
        made = edit(made)
    ids = Tables.of(made).all_ids()
    assert tokenizers.Tokenizer.from_str(json.dumps(made)).get_vocab() == ids
    ours = loaded(made)
    assert ours.token_bytes(ids["<a>"]) == b"<a>"
    assert ours.encode_ids("x<a>").tolist()[-1] == ids["<a>"]


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("name", ["llama2", "t5", "albert-base-v2"])
def test_an_edited_definition_is_read_by_tokenizers(name, edit):
    file = SHARED / "data" / "vocab" / name / "tokenizer.json"
    if not file.exists():
        pytest.skip("needs ../shared")
    made = EDITS[edit](json.loads(file.read_text("utf-8")))
    theirs = tokenizers.Tokenizer.from_str(json.dumps(made))
    assert theirs.encode(TEXT).ids == loaded(made).encode(TEXT).ids.tolist()
