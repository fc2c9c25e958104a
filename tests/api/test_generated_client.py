"""A client that a generator makes from the interface's description works against a running server."""

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from lab_app.engine import Tokenizer
from tests.browser.server import Server
from tests.conftest import ROOT
from tests.waiting import PATIENCE_S

GENERATOR = Path(sys.prefix, "client")
"""Of `make test`: it needs an older typer than the lab."""
pytestmark = pytest.mark.skipif(not GENERATOR.is_dir(), reason=f"{GENERATOR.name} is not installed: make test")
LEFT_OUT = {"POST /api/v1/tokenize_rows"}
"""Bodies that are no JSON, which the generator does not know."""
MORE = """
from lab_client.api.analyses import get_analyses_id, post_analyses
from lab_client.api.corpora import post_corpora
from lab_client.api.jobs import get_jobs_id
from lab_client.api.lessons import post_lessons_name
from lab_client.models import (
    PostAnalysesAnalysisBody, PostCorporaCorpusBody, PostLessonsNameLessonBody
)

lesson = post_lessons_name.sync("bpe-encode", client=lab, body=PostLessonsNameLessonBody(tokenizer="gpt2", text="low"))
corpus = post_corpora.sync(client=lab, body=PostCorporaCorpusBody(paths=["PATH"], title="Texts"))
body = PostAnalysesAnalysisBody(corpus=corpus.id, tokenizers=["gpt2"])
job = post_analyses.sync(client=lab, body=body)
while job.state in ("waiting", "running"):
    job = get_jobs_id.sync(job.id, client=lab)
analysis = get_analyses_id.sync(job.result["id"], client=lab)
refused = post_tokenize.sync(client=lab, body=PostTokenizeTokenizeBody(tokenizer="nothing", text=""))
print(found.ids, len(lesson.frames), analysis.tokenizers[0].tokens, refused.error.code)
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory):
    server = Server(tmp_path_factory.mktemp("lab"), TOKENLAB_OFFLINE="1")
    yield server
    server.stop()


def test_a_generated_client_encodes_shows_lessons_and_counts_corpora(server: Server, tmp_path: Path):
    headers = {"Authorization": f"Bearer {server.token}"}
    description = httpx2.get(f"{server.origin}/openapi.json", headers=headers, timeout=PATIENCE_S)
    (tmp_path / "lab.json").write_bytes(description.raise_for_status().content)
    (tmp_path / "options.yaml").write_text("post_hooks: []\n", "utf-8")
    (tmp_path / "texts.txt").write_text("the cat sat\n" * 3, "utf-8")
    own = {**os.environ, "PYTHONPATH": os.pathsep.join([str(GENERATOR), str(tmp_path)])}
    options = ["--output-path", "lab_client", "--meta", "none", "--config", "options.yaml"]
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", "lab.json", *options]
    made = run(command, tmp_path, own)
    assert set(re.findall(r"^WARNING parsing (\S+ \S+)", made, re.M)) <= LEFT_OUT and "Unable to" not in made, made
    page = (ROOT / "docs" / "reference" / "http-api.md").read_text("utf-8")
    (example,) = [each for each in re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S) if "lab_client" in each]
    script = (example + MORE).replace("http://127.0.0.1:8000", server.origin).replace('"T"', repr(server.token))
    (tmp_path / "use.py").write_text(script.replace("PATH", str(tmp_path / "texts.txt")), "utf-8")
    frames = len(Tokenizer.builtin("gpt2").lesson("bpe-encode", "low").ends)
    tokens = 3 * len(Tokenizer.builtin("gpt2").encode_list("the cat sat"))  # a document is a line
    assert run([sys.executable, "use.py"], tmp_path, own) == f"[15496, 11, 995] {frames} {tokens} not_found\n"


def run(command: list[str], folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr
