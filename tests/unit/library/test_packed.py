"""BERT's vocabulary comes with the lab: it works at once, in a fresh data folder and without a network."""

import os
import shutil
import subprocess
import sys
import tomllib

import pytest

from lab_app import paths
from lab_app.errors import Conflict, LoadFailed
from lab_app.library.adding import add
from lab_app.library.loading import load
from lab_app.services.lab import Lab
from lab_app.settings import Settings
from tests.conftest import BERT_VOCAB, ROOT

WITHOUT_NETWORK = """
import socket, sys
def refuse(*_):
    raise AssertionError("the network was asked for")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
from lab_app.cli.main import main
main()
"""


def test_bert_beside_gpt_2_needs_no_network(data_dir):
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_NETWORK, "compare", "-t", "bert-base-uncased", "-t", "gpt2", "unbelievable"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONUTF8": "1"},
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "bert-base-uncased" in run.stdout and "gpt2" in run.stdout
    assert not (data_dir / "tokenizers").exists()


def test_every_wheel_has_it_with_its_licence():
    assert BERT_VOCAB.parent.parent == paths.packed()
    assert "Apache License" in (BERT_VOCAB.parent / "LICENSE.txt").read_text("utf-8")
    included = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["maturin"]["include"]
    assert {"path": "lab_app/vendor/**/*", "format": ["sdist", "wheel"]} in included


def test_a_lab_without_its_files_says_so_and_how_to_mend_it(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "packed", lambda: tmp_path)
    settings = Settings(data_dir=tmp_path / "data")
    entry = Lab(settings).catalog.entry("bert-base-uncased")
    with pytest.raises(LoadFailed, match="missing from this installation") as error:
        load(entry, settings)
    assert "make bert" in error.value.hint
    (tmp_path / "bert-base-uncased").mkdir()
    shutil.copy(BERT_VOCAB, tmp_path / "bert-base-uncased")
    assert load(entry, settings).vocab_size == 30522
    (tmp_path / "bert-base-uncased" / "vocab.txt").write_bytes(BERT_VOCAB.read_bytes() + b"more\n")
    with pytest.raises(LoadFailed, match="has changed"):
        load(entry, settings)


def test_its_id_is_taken(tmp_path):
    catalog = Lab(Settings(data_dir=tmp_path)).catalog
    with pytest.raises(Conflict, match="taken"):
        add(catalog, [BERT_VOCAB], "x", id="BERT-base-uncased")
