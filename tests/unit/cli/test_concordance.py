"""`tokenlab concordance`."""

import json


def test_concordance(tokenlab, tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("the cat\nsee the cat\n")
    arguments = ("concordance", str(path), "-t", "gpt2")
    done = tokenlab(*arguments, "--token", "Ġcat", "--limit", "1")
    assert "·cat" in done.stdout.decode() and "there is more" in done.stderr.decode()
    following = done.stderr.decode().split("--start ")[1].split()[0]
    done = tokenlab(*arguments, "--token", "Ġcat", "--start", following)
    assert "see·the" in done.stdout.decode() and "end of the corpus" in done.stderr.decode()
    found = json.loads(tokenlab(*arguments, "--word", "the", "--segmentations", "--format", "json").stdout)
    assert [each["tokens"] for each in found["segmentations"]] == [["Ġthe"], ["the"]] or found["distinct"] == 2
    assert b"Gthe" not in tokenlab(*arguments, "--word", "the", "--segmentations").stdout
    assert b"needs a word" in tokenlab(*arguments, "--id", "1", "--segmentations", status=2).stderr
