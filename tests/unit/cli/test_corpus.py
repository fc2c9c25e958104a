"""`tokenlab corpus`."""

import json


def test_add_show_list_and_remove(tokenlab, tmp_path):
    (tmp_path / "two.csv").write_bytes(b"lang,words\nde,eins\nen,caf\xe9\nen,\n")
    options = ("--text-column", "words", "--language-column", "lang", "--id", "mine", "--title", "My texts")
    added = tokenlab("corpus", "add", str(tmp_path / "two.csv"), *options)
    assert added.stdout.decode() == "mine: 2 documents, 31 bytes\n"
    assert "1 character is not valid" in added.stderr.decode() and "1 document is empty" in added.stderr.decode()
    found = json.loads(tokenlab("corpus", "show", "mine", "--format", "json").stdout)
    assert (found["title"], found["languages"]) == ("My texts", ["de", "en"])
    assert found["sample"] == [{"text": "eins", "language": "de"}, {"text": "caf�", "language": "en"}]
    shown = tokenlab("corpus", "show", "mine").stdout.decode()
    assert "My texts" in shown and "de; en" in shown and "two.csv" in shown and found["sha256"] in shown
    assert "document 1, de" in shown
    listed = json.loads(tokenlab("corpus", "list", "--format", "json").stdout)["corpora"]
    assert [one["id"] for one in listed] == ["udhr", "python", "mine"]
    assert "My texts" in tokenlab("corpus", "list").stdout.decode()
    cleaned = tokenlab("corpus", "show", "mine", "--clean", "length:1-4")
    assert "eins" not in cleaned.stdout.decode() and "length:1-4" in cleaned.stdout.decode()
    assert b"0 of the first 2 documents change" in cleaned.stderr
    assert tokenlab("corpus", "remove", "mine").stdout.decode() == "mine is removed\n"
    assert b'there is no corpus "mine"' in tokenlab("corpus", "show", "mine", status=1).stderr
    wrong = tokenlab("corpus", "add", str(tmp_path / "two.csv"), "--file-format", "xml", status=2)
    assert b"'xml' is not one of" in wrong.stderr
