"""`tokenlab check`: its formats and its exit status."""

import json


def test_a_suite_that_export_wrote_is_checked(tokenlab, tmp_path):
    file = tmp_path / "mine.suite.json"
    tokenlab("export", "-t", "gpt2", "-o", str(file), "Hello, world")
    assert "1 case passed" in tokenlab("check", str(file)).stdout.decode()
    found = json.loads(tokenlab("check", str(file), "--format", "json").stdout)
    assert (found["passed"], found["failed"], found["cases"][0]["count"]) == (1, 0, 3)
    file.write_text(file.read_text("utf-8").replace("995", "996"), encoding="utf-8")
    failed = tokenlab("check", str(file), status=1)
    assert "0 cases passed, 1 failed" in failed.stdout.decode() and "expected 996" in failed.stderr.decode()
    assert '<failure message="token 2' in tokenlab("check", str(file), "--format", "junit", status=1).stdout.decode()
    file.write_text("{}", encoding="utf-8")
    assert "this is no suite" in tokenlab("check", str(file), status=2).stderr.decode()
