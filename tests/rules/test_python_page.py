"""The examples of docs/reference/python.md run as they are, one after the other, as in a notebook."""

import re
import subprocess
import sys
from pathlib import Path

from lab_app.engine import Tokenizer
from tests.rules.sources import ROOT

PAGE = ROOT / "docs" / "reference" / "python.md"
VALUES = """
assert (milestones(words)["90"], average_rank(words), gini([10, 30])) == (3, 1.8, 0.25)
assert isinstance(zipf(words), str) and "50" in zipf(words), zipf(words)
assert counts.sum() == len(tokenizer.encode("the cat sat")) + len(tokenizer.encode("the dog ran away"))
assert result.tokenizers[0].tokens == made.counts.tokenizers[0].counts.sum() and result.corpus.documents == 2
assert result.tokenizers[0].fertility == 1
"""


def test_every_example_runs(tmp_path: Path):
    examples = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert len(examples) > 4
    Tokenizer.builtin("gpt2").to_file(tmp_path / "tokenizer.json")
    (tmp_path / "books").mkdir()
    (tmp_path / "books" / "a.txt").write_text("the cat sat\non the mat\n", encoding="utf-8")
    script = tmp_path / "notebook.py"
    script.write_text("\n".join([*examples, VALUES]), encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
