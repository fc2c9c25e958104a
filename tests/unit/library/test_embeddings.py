"""Which tensors of a model are its embeddings, and what is refused."""

import json

import ml_dtypes
import numpy as np
import pytest
from safetensors.numpy import save_file

from lab_app.errors import BadValue, NotFound
from lab_app.library import embeddings
from lab_app.library.embeddings import find_embeddings

ROWS = np.arange(12, dtype=np.float32).reshape(6, 2)


def model(tmp_path, **tensors):
    save_file({name.replace("__", "."): value for name, value in tensors.items()}, tmp_path / "model.safetensors")
    return tmp_path / "model.safetensors"


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, ml_dtypes.bfloat16])
def test_rows_come_in_blocks(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(embeddings, "BLOCK_BYTES", 4 * 2 * 4)
    path = model(tmp_path, transformer__wte__weight=ROWS.astype(kind), lm_head__weight=ROWS[:4].astype(kind), h=ROWS)
    first, second = find_embeddings(path)
    assert (first.name, first.rows, first.width) == ("transformer.wte.weight", 6, 2)
    assert second is not None and (second.name, second.rows) == ("lm_head.weight", 4)
    blocks = list(first.blocks())
    assert [block.shape for block in blocks] == [(4, 2), (2, 2)] and np.array_equal(np.concatenate(blocks), ROWS)
    assert blocks[0].dtype == np.float32


def test_parts_of_a_model_in_one_folder(tmp_path):
    save_file({"model.embed_tokens.weight": ROWS}, tmp_path / "model-00001-of-00002.safetensors")
    save_file({"lm_head.weight": ROWS + 1}, tmp_path / "model-00002-of-00002.safetensors")
    first, second = find_embeddings(tmp_path)
    assert second is not None and (first.file.name[6:11], second.file.name[6:11]) == ("00001", "00002")


def test_a_tensor_in_two_files_of_a_folder_is_refused(tmp_path):
    for name in ("model", "new"):
        save_file({"wte.weight": ROWS}, tmp_path / f"{name}.safetensors")
    with pytest.raises(BadValue, match=r"model\.safetensors and .*new\.safetensors both have wte\.weight"):
        find_embeddings(tmp_path)
    assert find_embeddings(tmp_path / "new.safetensors")[0].rows == 6


def test_a_model_with_one_tensor_for_both(tmp_path):
    assert find_embeddings(model(tmp_path, model__embed_tokens__weight=ROWS))[1] is None


def test_names_of_ones_own(tmp_path):
    path = model(tmp_path, a=ROWS, b=ROWS)
    first, second = find_embeddings(path, input="b", output="a")
    assert first.name == "b" and second is not None and second.name == "a"
    with pytest.raises(NotFound, match='no tensor "c"'):
        find_embeddings(path, input="c")
    with pytest.raises(NotFound, match="name the tensor of input embeddings"):
        find_embeddings(path)


def test_what_is_no_embedding(tmp_path):
    two = model(tmp_path, encoder__embed_tokens__weight=ROWS, decoder__embed_tokens__weight=ROWS)
    with pytest.raises(BadValue, match="may be the embeddings: name the tensor of input embeddings"):
        find_embeddings(two)
    with pytest.raises(BadValue, match=r"has the shape \[12\]"):
        find_embeddings(model(tmp_path, wte__weight=ROWS.ravel()))
    with pytest.raises(BadValue, match="values of type I8"):
        find_embeddings(model(tmp_path, wte__weight=ROWS.astype(np.int8)))


def header(shape, end):
    text = json.dumps({"wte.weight": {"dtype": "F32", "shape": shape, "data_offsets": [0, end]}}).encode()
    return len(text).to_bytes(8, "little") + text


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff" * 8 + b"{}",
        header([6, 2], 48),
        header([6, 3], 48) + bytes(48),
        header([6, 2], 480) + bytes(48),
        header([2**40, 2**40], 48) + bytes(48),
    ],
    ids=["empty", "endless header", "no data", "another shape", "beyond the end", "huge shape"],
)
def test_a_header_that_lies_is_refused(tmp_path, content):
    path = tmp_path / "model.safetensors"
    path.write_bytes(content)
    with pytest.raises(BadValue, match="is no safetensors file"):
        find_embeddings(path)


def test_paths_without_a_model(tmp_path):
    with pytest.raises(NotFound, match=r"has no \.safetensors file"):
        find_embeddings(tmp_path)
    with pytest.raises(NotFound, match="cannot be read"):
        find_embeddings(tmp_path / "none.safetensors")
