"""The container without an engine for containers: what its files name exists, and what its image runs does run, as another user."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from lab_app.api.app import create_app
from lab_app.settings import Settings, load
from tests.conftest import ROOT
from tests.processes import tied
from tests.waiting import until

yaml = pytest.importorskip("yaml", reason="PyYAML comes with the extra cluster")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
SERVICES = COMPOSE["services"]
IMAGE = (ROOT / "Dockerfile").read_text("utf-8").rpartition("\nFROM ")[2]
"""The last stage."""
USER = 10001
TOKEN = "a-token-of-at-least-16"


def instructions(name: str) -> list[str]:
    """What follows an instruction in the image's stage, lines joined."""
    joined = re.sub(r"\\\n\s*", " ", IMAGE)
    return re.findall(rf"^{name} (.*)$", joined, re.M)


def environment() -> dict[str, str]:
    """What the image sets for the lab."""
    pairs = (word.split("=", 1) for line in instructions("ENV") for word in shlex.split(line))
    return {name: value for name, value in pairs if name.startswith("TOKENLAB_")}


def test_what_the_image_sets_are_settings_that_are_valid():
    found = load({}, environment())
    assert (found.host, found.port, found.log_format) == ("0.0.0.0", 8000, "json")
    known = {f"TOKENLAB_{each.name.upper()}" for each in fields(Settings)}
    assert environment().keys() | SERVICES["lab"]["environment"].keys() <= known


def test_the_image_has_no_window_and_no_root():
    installs = [each for each in instructions("RUN") if "pip install" in each]
    assert len(installs) == 1 and "desktop" not in installs[0]
    assert instructions("USER") == [str(USER)] and f"--uid {USER}" in " ".join(instructions("RUN"))
    assert "/readyz" in instructions("HEALTHCHECK")[0]


def test_the_service_writes_to_its_volume_alone_and_listens_to_this_machine():
    for name in ("lab", "scheduler", "worker"):
        service = SERVICES[name]
        assert service["read_only"] and service["cap_drop"] == ["ALL"] and service["tmpfs"] == ["/tmp"]
    ports = [port for each in SERVICES.values() for port in each.get("ports", ())]
    assert ports and all(port.startswith("127.0.0.1:") for port in ports)
    assert SERVICES["lab"]["volumes"] == [f"data:{environment()['TOKENLAB_DATA_DIR']}"]
    assert float(SERVICES["lab"]["stop_grace_period"].removesuffix("s")) >= Settings().drain_timeout_s + 2


def test_what_stands_beside_the_lab_is_started_by_its_profile():
    profiles = {name: each.get("profiles", []) for name, each in SERVICES.items()}
    assert profiles == {
        "lab": [],
        "scheduler": ["cluster"],
        "worker": ["cluster"],
        "prometheus": ["metrics"],
        "grafana": ["metrics"],
    }
    assert SERVICES["worker"]["deploy"]["replicas"] == 2
    assert not SERVICES["scheduler"].get("ports"), "who reaches a scheduler can run programs on it"


def test_what_a_service_names_is_declared():
    for service in SERVICES.values():
        volumes = {each.partition(":")[0] for each in service.get("volumes", ())}
        assert volumes <= COMPOSE["volumes"].keys()
        assert {each["source"] for each in service.get("configs", ())} <= COMPOSE["configs"].keys()
        assert set(service.get("secrets", ())) <= COMPOSE["secrets"].keys()
        assert set(service.get("depends_on", ())) <= SERVICES.keys()
    assert all((ROOT / each["file"]).is_file() for each in COMPOSE["configs"].values())


def test_prometheus_is_let_in():
    config = yaml.safe_load((ROOT / "deploy" / "prometheus.yml").read_text("utf-8"))["scrape_configs"][0]
    ((host, port),) = [each.split(":") for each in config["static_configs"][0]["targets"]]
    assert host in SERVICES and port == environment()["TOKENLAB_PORT"]
    assert (
        host
        in load({}, {"TOKENLAB_ALLOWED_HOSTS": SERVICES["lab"]["environment"]["TOKENLAB_ALLOWED_HOSTS"]}).allowed_hosts
    )
    assert config["authorization"]["credentials_file"] == f"/run/secrets/{SERVICES['prometheus']['secrets'][0]}"


def test_the_dashboard_shows_metrics_that_the_lab_has(tmp_path):
    app = create_app(Settings(data_dir=tmp_path, token=TOKEN, offline=True))
    with TestClient(app, base_url="http://127.0.0.1", headers={"Authorization": f"Bearer {TOKEN}"}) as client:
        for _ in range(2):
            client.post("/api/v1/tokenize", json={"tokenizer": "gpt2", "text": "Hello"}).raise_for_status()
        served = set(re.findall(r"^(\w+)[ {]", client.get("/metrics").text, re.M))
    board = json.loads((ROOT / "deploy" / "grafana" / "dashboard.json").read_text("utf-8"))
    shown = {
        name for panel in board["panels"] for name in re.findall(r"\b[a-z]+_[a-z_]+\b", panel["targets"][0]["expr"])
    }
    assert shown and shown <= served, shown - served


@pytest.fixture
def image(wheel: Path) -> Iterator[Path]:
    """What the image's first script makes, in a folder that everybody can read and nobody but root can write. The packages that
    the lab needs come from this environment: there is no network."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("needs root on Linux and setpriv, to become another user")
    folder = Path(tempfile.mkdtemp(prefix="tokenlab-image-"))
    folder.chmod(0o755)
    try:
        script = next(each for each in instructions("RUN") if "pip install" in each)
        script = re.sub(r"--mount=\S+ ", "", script).replace("/opt/tokenlab", str(folder / "tokenlab"))
        script = script.replace("/dist/", f"{wheel.parent}/")
        own = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1"}
        subprocess.run(["/bin/sh", "-euc", script], env=own, check=True, capture_output=True, timeout=300)
        yield folder
    finally:
        for each in (folder, *folder.rglob("*")):
            if each.is_dir() and not each.is_symlink():
                each.chmod(0o755)
        shutil.rmtree(folder)


def becoming(image: Path, own: dict[str, str]) -> tuple[list[str], int]:
    """The words that run a command as the image's user, and its number. Where that user cannot read this machine's Python, which
    an image has, they run it as this one without any privilege, for whom the image is read-only, too."""
    become = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--no-new-privs"]
    python = image / "tokenlab" / "bin" / "python"
    probe = [*become, str(python), "-c", "import fastapi"]
    with suppress(PermissionError):
        if subprocess.run(probe, env=own, check=False, capture_output=True).returncode == 0:
            return become, USER
    for each in (image / "tokenlab", *(image / "tokenlab").rglob("*")):
        if not each.is_symlink():
            each.chmod(each.stat().st_mode & ~0o222)
    return ["setpriv", "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs"], os.geteuid()


def test_the_image_serves_a_user_who_cannot_write_to_it(image: Path):
    program = image / "tokenlab" / "bin"
    assert not (program / "pip").exists(), "nothing can be installed into the image"
    data = image / "data"
    data.mkdir(mode=0o700)
    packages = os.pathsep.join(path for path in sys.path if path.endswith("site-packages"))
    own = {
        **environment(),
        "TOKENLAB_HOST": "127.0.0.1",
        "TOKENLAB_PORT": "0",
        "TOKENLAB_DATA_DIR": str(data),
        "TOKENLAB_TOKEN": TOKEN,
        "PATH": f"{program}:/usr/bin:/bin",
        "PYTHONPATH": packages,
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": str(data),
    }
    become, user = becoming(image, own)
    os.chown(data, user, -1)
    write = [*become, "touch", str(image / "tokenlab" / "new")]
    assert subprocess.run(write, env=own, check=False, capture_output=True).returncode != 0
    command = [*json.loads(instructions("ENTRYPOINT")[0]), *json.loads(instructions("CMD")[0])]
    process = subprocess.Popen(
        tied(*become, *command), env=own, cwd=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout and process.stderr
        address = process.stdout.readline().partition("?")[0]
        health = json.loads(instructions("HEALTHCHECK")[0].partition("CMD ")[2])
        health = [each.replace("http://127.0.0.1:8000/", address) for each in health]
        healthy = [*become, *health]
        until(
            lambda: subprocess.run(healthy, env=own, check=False, capture_output=True).returncode == 0, "never healthy"
        )
        body = json.dumps({"tokenizer": "gpt2", "text": "Hello, world", "fields": ["ids"]}).encode()
        request = urllib.request.Request(f"{address}api/v1/tokenize", body, {"Authorization": f"Bearer {TOKEN}"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert json.loads(answer.read())["ids"] == [15496, 11, 995]
    finally:
        process.terminate()
        _, logged = process.communicate(timeout=60)
    assert process.returncode == 0
    lines = [json.loads(line) for line in logged.splitlines() if line.startswith("{")]
    assert "/api/v1/tokenize" in [each.get("path") for each in lines]
    assert all(each.stat().st_uid == user for each in data.rglob("*"))
