"""Which tokens a model hardly saw: GPT-2's vocabulary beside embeddings made here."""

import numpy as np
import pytest
from safetensors.numpy import save_file

from lab_app.errors import BadValue
from lab_app.services.lab import Lab
from lab_app.services.vocabularies.undertrained import undertrained
from lab_app.settings import Settings

SIZE = 50257


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return Lab(Settings(data_dir=tmp_path_factory.mktemp("lab"), offline=True))


@pytest.fixture
def matrix():
    made = np.random.default_rng(1)
    return (made.normal(size=(SIZE, 4)) * [5, 1, 1, 1] + [0, 4, 0, 0]).astype(np.float32)


def test_two_tensors_are_ordered_by_the_norm(lab: Lab, tmp_path, matrix):
    # 995 and 257 are whole words, 162 a part of a character, 50256 special, 177 a byte of no text.
    matrix[[995, 257, 162, 50256, 177]] *= [[0.001], [0.002], [0], [0], [0]]
    save_file({"wte.weight": matrix, "lm_head.weight": matrix}, tmp_path / "model.safetensors")
    found = undertrained(lab, "gpt2", tmp_path / "model.safetensors", limit=2)
    assert [(token.id, token.text) for token in found.tokens] == [(995, " world"), (257, " a")]
    assert found.indicator == "norm" and found.unused == "unreachable" and found.unused_count > 0
    assert found.tokens[0].norm == pytest.approx(np.linalg.norm(matrix[995]), rel=1e-5)
    assert found.tokens[0].reachable == "reachable" and found.tokens[0].distance is not None
    assert found.threshold is not None and found.tokens[1].norm < found.threshold


def test_one_tensor_is_ordered_by_the_distance_from_rows_beyond_the_vocabulary(lab: Lab, tmp_path, matrix):
    apart = np.array([0, -3, 0.2, 0.1], np.float32)
    padded = np.concatenate([matrix, np.tile(apart, (7, 1))])
    padded[995] = 2 * apart
    save_file({"wte.weight": padded}, tmp_path / "model.safetensors")
    found = undertrained(lab, "gpt2", tmp_path / "model.safetensors", limit=1)
    assert (found.indicator, found.unused, found.unused_count, found.output) == (
        "distance",
        "beyond the vocabulary",
        7,
        None,
    )
    assert found.tokens[0].id == 995 and found.tokens[0].distance == pytest.approx(0, abs=1e-3)
    given = undertrained(lab, "gpt2", tmp_path / "model.safetensors", unused=[11, 11, 13], limit=1)
    assert (given.unused, given.unused_count) == ("given", 2)


def test_weights_of_another_model_are_refused(lab: Lab, tmp_path, matrix):
    save_file({"wte.weight": matrix[:-1]}, tmp_path / "model.safetensors")
    with pytest.raises(BadValue, match="has 50256 rows, and gpt2 has 50257 tokens"):
        undertrained(lab, "gpt2", tmp_path / "model.safetensors")
    save_file({"wte.weight": matrix}, tmp_path / "model.safetensors")
    with pytest.raises(BadValue, match="there is no row 50257"):
        undertrained(lab, "gpt2", tmp_path / "model.safetensors", unused=[50257])
