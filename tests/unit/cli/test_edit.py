"""`tokenlab edit`."""

import json

import numpy as np
from safetensors.numpy import load_file, save_file

RECIPE = """
[[edit]]
kind = "add_words"
words = ["regolith"]

[[edit]]
kind = "shrink"
size = 40000
on = false
"""


def test_edit(tokenlab, tmp_path):
    recipe, out, rows = tmp_path / "mars.toml", tmp_path / "mars.json", tmp_path / "rows.csv"
    recipe.write_text(RECIPE)
    arguments = ("edit", "gpt2", str(recipe), "--output", str(out), "--map", str(rows), "--text", "regolith")
    shown = tokenlab(*arguments, "--no-audit").stdout.decode()
    assert "add_words" in shown and "shrink (off)" in shown and "All old IDs are kept." in shown
    vocab = json.loads(out.read_text())["model"]["vocab"]
    assert vocab["Ġregolith"] == 50257 and rows.read_text().startswith("token,kind,old,new,parts,weights\n")
    assert b"already exists" in tokenlab(*arguments, "--no-audit", status=1).stderr
    found = json.loads(tokenlab(*arguments, "--force", "--format", "json", "--add", "mars").stdout)
    assert found["added_count"] == 1 and [check["name"] for check in found["checks"]][-2:] == ["reachable", "merges"]
    assert json.loads(tokenlab("encode", "-t", "mars", " regolith", "--format", "json").stdout)["ids"] == [50257]


def test_what_cannot_be_edited_is_refused(tokenlab, tmp_path):
    recipe = tmp_path / "wrong.toml"
    recipe.write_text('[[edit]]\nkind = "add_words"\nwords = ["data-set"]\n')
    assert b"edit 1, add_words: the stages before the model" in tokenlab("edit", "gpt2", str(recipe), status=2).stderr
    assert b"no map of rows" in tokenlab("edit", "gpt2", str(recipe), "--map", "rows.txt", status=2).stderr
    recipe.write_text("kind = 1")
    assert b'has a field "kind"' in tokenlab("edit", "gpt2", str(recipe), status=2).stderr


def test_names_are_refused_before_anything_is_written(tokenlab, tmp_path):
    recipe, out, taken = tmp_path / "mars.toml", tmp_path / "new.json", tmp_path / "taken.csv"
    recipe.write_text(RECIPE)
    taken.write_text("old")
    arguments = ("edit", "gpt2", str(recipe), "--no-audit", "--output", str(out))
    embeddings = ("--model", "model.safetensors", "--embeddings", str(taken))
    for more in (("--map", str(taken)), embeddings, ("--add", "GPT2"), ("--add", "no/id"), ("--to", "nothing")):
        assert tokenlab(*arguments, *more, status=2 if more[1] in ("no/id", "nothing") else 1).stderr
        assert not out.exists() and taken.read_text() == "old"


def test_embeddings_are_written_beside_their_model(tokenlab, tmp_path):
    recipe, model, out = tmp_path / "mars.toml", tmp_path / "model.safetensors", tmp_path / "new.safetensors"
    recipe.write_text(RECIPE)
    save_file({"wte.weight": np.arange(50_257, dtype=np.float32)[:, None]}, model)
    arguments = ("edit", "gpt2", str(recipe), "--no-audit", "--model", str(model))
    assert b"belong together" in tokenlab(*arguments, status=2).stderr
    assert b"wte.weight" in tokenlab(*arguments, "--embeddings", str(out)).stderr
    assert load_file(out)["wte.weight"].shape == (50_258, 1)
    rows = np.arange(50_257, dtype=np.float32)[:, None]
    save_file({"encoder.embed_tokens.weight": rows, "decoder.embed_tokens.weight": -rows}, model)
    arguments += ("--embeddings", str(out), "--force")
    made = tmp_path / "mars.json"
    refused = tokenlab(*arguments, "--output", str(made), status=2)
    assert b"name the tensor of input embeddings" in refused.stderr and not made.exists()
    names = ("--input-tensor", "encoder.embed_tokens.weight", "--output-tensor", "decoder.embed_tokens.weight")
    tokenlab(*arguments, *names)
    assert {name.split(".")[0] for name in load_file(out)} == {"encoder", "decoder"}
