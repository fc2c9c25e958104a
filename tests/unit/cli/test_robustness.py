"""`tokenlab robustness`."""

import json


def test_robustness(tokenlab, tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("It is a plain sentence. Another one follows it.\n" * 9)
    arguments = ("robustness", str(path), "-t", "gpt2", "--sentences", "9", "--kind", "swap", "--kind", "nfd")
    done = tokenlab(*arguments)
    assert "moved outside" in done.stdout.decode() and "not measured: nfd" in done.stderr.decode()
    found = json.loads(tokenlab(*arguments, "--format", "json").stdout)
    assert [each["kind"] for each in found["tokenizers"][0]["kinds"]] == ["swap", "nfd"]
    assert found["tokenizers"][0]["kinds"][1]["moved_outside"] is None
    assert b"no kind" in tokenlab(*arguments, "--kind", "odd", status=2).stderr
