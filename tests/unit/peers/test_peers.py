"""Adapters of engines: each refuses what it cannot read, and its calls agree with each other and with the lab's engine."""

from pathlib import Path

import pytest

from lab_app.library.tokenizer_files import tokenizer_files
from lab_app.peers import registry
from lab_app.peers.peer import TokenizerFiles
from lab_app.services.lab import Lab
from lab_app.settings import Settings

TEXTS = ["Hello, world", "naïve 日本 🙂\n", "  two  spaces 1234"]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return Lab(Settings(data_dir=tmp_path_factory.mktemp("data")))


def files_of(lab: Lab, id: str, folder: Path) -> TokenizerFiles:
    return tokenizer_files(*lab.loaded.get(id), folder)


@pytest.mark.parametrize("name", registry.MODULES)
def test_every_engine_refuses_a_tokenizer_without_files(name: str):
    adapter = registry.adapter(name)
    assert name == adapter.NAME and adapter.misfit(TokenizerFiles("nothing"))
    assert registry.install_command(name) == f"pip install {adapter.PACKAGE}"
    state = registry.state(name)
    assert (state.version is None) == (state.install is not None) and state.misfit is None


@pytest.mark.parametrize(
    ("id", "engines"),
    [("gpt2", ["tokenlab", "tiktoken", "tokenizers"]), ("bert-base-uncased", ["tokenlab", "tokenizers"])],
)
def test_calls_agree(lab: Lab, tmp_path: Path, id: str, engines: list[str]):
    files = files_of(lab, id, tmp_path)
    tokenizer = lab.loaded.get(id)[1]
    expected = [tokenizer.encode_ids(text).tolist() for text in TEXTS]
    assert registry.reference(files) == engines[1]
    for name in engines:
        if not registry.state(name, files).usable:
            pytest.skip(f"{name} is not installed")
        calls = registry.adapter(name).load(files, 1)
        assert [list(calls.ids(text)) for text in TEXTS] == expected, name
        assert [list(row) for row in calls.rows(calls.batch(TEXTS))] == expected, name
        for text, ids in zip(TEXTS, expected, strict=True):
            found, spans = calls.spans(text)
            assert list(found) == ids and len(spans) == len(ids), name


def test_sentencepiece_reads_its_model(shared: Path):
    model = shared / "vocab/sp-small/test_model.model"
    calls = registry.adapter("sentencepiece").load(TokenizerFiles("small", sentencepiece_model=str(model)), 1)
    rows = [list(row) for row in calls.rows(calls.batch(TEXTS))]
    assert rows == [list(calls.ids(text)) for text in TEXTS] and calls.spans(TEXTS[0])[1][0][0] == 0


def test_files_are_the_tokenizers_own_where_it_has_them(lab: Lab, tmp_path: Path):
    gpt2 = files_of(lab, "gpt2", tmp_path / "gpt2")
    assert gpt2.builtin == gpt2.pattern == "gpt2" and gpt2.file is None and gpt2.vocab_txt is None
    assert Path(gpt2.rank_file).name == "gpt2.tiktoken" and gpt2.rank_file in gpt2.written
    assert gpt2.origin(gpt2.rank_file) == "a gpt2.tiktoken that the lab wrote"
    bert = files_of(lab, "bert-base-uncased", tmp_path / "bert")
    assert bert.vocab_txt == bert.file and bert.origin(bert.vocab_txt) == "its own vocab.txt"
    assert bert.rank_file is None and bert.tokenizer_json in bert.written


def test_an_unknown_engine_is_named():
    with pytest.raises(Exception, match='there is no engine "magic"'):
        registry.adapter("magic")
