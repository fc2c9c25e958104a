"""The commands of the guide for curl print what it says."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.browser.server import Server
from tests.conftest import ROOT
from tests.waiting import until

SECTION = re.search(r"## With curl\n(.*?)\n## ", (ROOT / "docs/guide/serving.md").read_text("utf-8"), re.S)[1]
BLOCKS = re.findall(r"```sh\n(.*?)```(?:\n\n```text\n(.*?)```)?", SECTION, re.S)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not there")
def test_what_the_guide_says_of_curl(tmp_path: Path):
    server = Server(tmp_path / "data", TOKENLAB_OFFLINE="1")
    try:
        ready = ["curl", "-sf", f"{server.origin}/readyz"]
        until(lambda: subprocess.run(ready, capture_output=True, check=False).returncode == 0, "it is never ready")
        for script, expected in BLOCKS:
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", script.replace("http://127.0.0.1:8000", server.origin)],
                cwd=tmp_path,
                env={**os.environ, "TOKEN": server.token, "no_proxy": "127.0.0.1"},
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
            assert done.returncode == 0, (script, done.stderr)
            if expected:
                assert done.stdout.strip() == expected.strip(), script
        last = done.stdout.splitlines()
        assert [line.partition(" ")[0] for line in last[2:]] == ['tokenlab_texts_total{tokenizer="gpt2"}']
        assert '"text": "Hello"' in last[0] and '"not_found"' in last[1]
        import pyarrow as pa

        assert pa.ipc.open_stream((tmp_path / "ids.arrow").read_bytes()).read_all()["ids"].to_pylist() == [
            [15496],
            [15496, 11, 995],
        ]
    finally:
        server.stop()
