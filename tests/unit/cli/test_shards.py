"""`tokenlab shards`."""

import json


def test_shards(tokenlab, tmp_path):
    (tmp_path / "two.txt").write_text("Hello world\nHello\n")
    arguments = ("shards", str(tmp_path / "two.txt"), "-t", "gpt2", "-o", str(tmp_path / "out"))
    made = json.loads(tokenlab(*arguments, "--check", "--format", "json").stdout)
    assert (made["documents"], made["tokens"], made["width"], made["end"]) == (2, 5, "uint16", 50256)
    assert made["checked"] == {"files": 2, "tokens": 5, "documents": 2, "encoded_again": 2}
    again = tokenlab(*arguments)
    assert "1 shard of an earlier run stayed" in again.stderr.decode()
    other = tokenlab(*arguments, "--end", "none", status=1)
    assert "begun with the end token: 50256, not none" in other.stderr.decode()
