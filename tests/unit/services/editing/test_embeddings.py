"""Embedding rows for an edited tokenizer, against the map row by row."""

import ml_dtypes
import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from lab_app.editing.recipe import steps_of
from lab_app.errors import BadValue, Conflict, NotFound
from lab_app.services.editing.embeddings import write_embeddings
from lab_app.services.editing.row_files import map_of_rows
from lab_app.services.lab import Lab
from lab_app.settings import Settings

WIDTH = 4


@pytest.fixture
def model(tmp_path):
    """The two tensors of a model with GPT-2's vocabulary, padded, and one that is not read."""
    random = np.random.default_rng(1)
    tensors = {
        "model.embed_tokens.weight": random.normal(size=(50_304, WIDTH)).astype(ml_dtypes.bfloat16),
        "lm_head.weight": random.normal(size=(50_304, WIDTH)).astype(np.float32),
        "layers.0.weight": np.zeros((2, 2), np.float32),
    }
    save_file(tensors, tmp_path / "model.safetensors")
    return tmp_path / "model.safetensors"


@pytest.mark.parametrize("keep_ids", [True, False])
def test_rows_are_copied_or_the_mean_of_their_parts(model, tmp_path, keep_ids):
    lab = Lab(Settings(data_dir=tmp_path / "data", offline=True))
    steps = steps_of(
        [{"kind": "shrink", "size": 3000, "keep_ids": keep_ids}, {"kind": "add_words", "words": ["regolith"]}]
    )
    rows = map_of_rows(lab, "gpt2", steps)
    out = tmp_path / "new.safetensors"
    assert write_embeddings(rows, model, out) == ["model.embed_tokens.weight", "lm_head.weight"]
    old, new = load_file(model), load_file(out)
    assert set(new) == {"model.embed_tokens.weight", "lm_head.weight"}
    for name, tensor in new.items():
        assert tensor.dtype == old[name].dtype
        for row in rows:
            if row.new is None:
                continue
            expected = sum(weight * old[name][part].astype(np.float32) for part, weight in row.parts)
            assert np.array_equal(tensor[row.new], np.asarray(expected, np.float32).astype(tensor.dtype)), row
    with pytest.raises(Conflict):
        write_embeddings(rows, model, out)


def test_a_model_of_another_size_or_a_damaged_file_is_refused(model, tmp_path):
    lab = Lab(Settings(data_dir=tmp_path / "data", offline=True))
    rows = map_of_rows(lab, "gpt2", steps_of([]))
    save_file({"wte.weight": np.zeros((10, WIDTH), np.float32)}, tmp_path / "small.safetensors")
    with pytest.raises(BadValue, match="has 10 rows, and the base has tokens up to 50256"):
        write_embeddings(rows, tmp_path / "small.safetensors", tmp_path / "out")
    data = bytearray(model.read_bytes())
    for name, lie in (
        ("cut", data[:-8]),
        ("long", b"\xff" * 8 + data[8:]),
        ("names", data.replace(b"50304", b"99999")),
    ):
        (tmp_path / name).write_bytes(lie)
        with pytest.raises(BadValue, match="is no safetensors file"):
            write_embeddings(rows, tmp_path / name, tmp_path / "out")
    with pytest.raises(NotFound):
        write_embeddings(rows, tmp_path / "gone.safetensors", tmp_path / "out")
    assert not (tmp_path / "out").exists()
