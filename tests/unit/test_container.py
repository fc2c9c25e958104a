"""The container without an engine for containers: what its files name exists, and what its image runs does run, as another user."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import fields
from importlib.metadata import distribution, requires
from pathlib import Path

import httpx2
import pyarrow
import pyarrow.parquet as parquet
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from starlette.testclient import TestClient

from lab_app.api.app import create_app
from lab_app.settings import Settings, load
from tests.conftest import ROOT
from tests.processes import tied
from tests.waiting import until

yaml = pytest.importorskip("yaml", reason="PyYAML comes with the extra cluster")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
SERVICES = COMPOSE["services"]
PACKAGES, IMAGE = (ROOT / "Dockerfile").read_text("utf-8").split("\nFROM ")[-2:]
"""The stage that installs, and the last one."""
MOST_BYTES = 350e6
SYSTEM_BYTES = 125e6
"""What the last stage starts from, Debian and Python, takes at most."""
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
USER = 10001
TOKEN = "a-token-of-at-least-16"


def instructions(name: str, stage: str = IMAGE) -> list[str]:
    """What follows an instruction in a stage, lines joined."""
    joined = re.sub(r"\\\n\s*", " ", stage)
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
    installs = [each for each in instructions("RUN", PACKAGES) if "pip install" in each]
    assert len(installs) == 1 and "desktop" not in installs[0]
    assert "pip install" not in IMAGE and "COPY --from=packages /opt/tokenlab /opt/tokenlab" in IMAGE
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


def needed(names: Iterable[str]) -> set[str]:
    """The packages that packages need without their extras, themselves among them."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if canonicalize_name(name) in found:
            continue
        found.add(canonicalize_name(name))
        for each in map(Requirement, requires(name) or ()):
            if each.marker is None or each.marker.evaluate({"extra": ""}):
                waiting.append(each.name)
    return found


def copy_packages(site: Path) -> None:
    """What pip would install of the lab's packages, from this environment: there is no network."""
    for name in needed(Requirement(each).name for each in PROJECT["dependencies"]):
        package = distribution(name)
        for file in package.files or ():
            source = Path(str(package.locate_file(file)))
            if ".." not in file.parts and "__pycache__" not in file.parts:
                (site / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, site / file)


@pytest.fixture
def image(wheel: Path) -> Iterator[Path]:
    """What the image's scripts make, in a folder that everybody can read and nobody but root can write."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("setpriv") is None or shutil.which("strip") is None:
        pytest.skip("needs root on Linux, setpriv, to become another user, and strip")
    folder = Path(tempfile.mkdtemp(prefix="tokenlab-image-"))
    folder.chmod(0o755)
    own = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1"}
    try:
        install, prune = instructions("RUN", PACKAGES)
        run_script(install, folder, wheel, own)
        (site,) = folder.glob("tokenlab/lib/*/site-packages")
        copy_packages(site)
        run_script(prune, folder, wheel, own)
        yield folder
    finally:
        for each in (folder, *folder.rglob("*")):
            if each.is_dir() and not each.is_symlink():
                each.chmod(0o755)
        shutil.rmtree(folder)


def run_script(script: str, folder: Path, wheel: Path, environment: dict[str, str]) -> None:
    """Runs a script of the Dockerfile, with folders of its own."""
    script = re.sub(r"--mount=\S+ ", "", script)
    places = {"/opt/tokenlab": folder / "tokenlab", "/dist/": f"{wheel.parent}/", "/tmp/data": folder / "warm"}
    for inside, here in {**places, "/tmp/prune.py": ROOT / "deploy" / "prune.py"}.items():
        script = script.replace(inside, str(here))
    done = subprocess.run(
        ["/bin/sh", "-euc", script], env=environment, cwd=folder, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="the image is one of Linux")
def test_libraries_alone_are_made_smaller(tmp_path: Path):
    """Not what only looks like one, and none twice by its link."""
    packages = tmp_path / "packages"
    (packages / "plotly" / "graph_objs").mkdir(parents=True)
    for name in ("own.so", "lib.so.1.2", "data.source.json", "notes.so.txt"):
        (packages / name).touch()
    (packages / "lib.so").symlink_to("lib.so.1.2")
    strip = tmp_path / "strip"
    strip.write_text('#!/bin/sh\necho "$2"\n')
    strip.chmod(0o755)
    command = [sys.executable, ROOT / "deploy" / "prune.py", packages]
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = subprocess.run(command, env={**os.environ, "PATH": path}, check=True, capture_output=True, text=True)
    assert {Path(line).name for line in done.stdout.splitlines()} == {"own.so", "lib.so.1.2"}


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


def test_the_image_is_small_and_serves_a_user_who_cannot_write_to_it(image: Path):
    files = [each for each in (image / "tokenlab").rglob("*") if each.is_file() and not each.is_symlink()]
    size = sum(each.stat().st_size for each in files)
    assert 50e6 < size < MOST_BYTES - SYSTEM_BYTES, f"{size / 1e6:.0f} MB: see deploy/prune.py"

    program = image / "tokenlab" / "bin"
    assert not (program / "pip").exists(), "nothing can be installed into the image"
    data = image / "data"
    data.mkdir(mode=0o700)
    own = {
        **environment(),
        "TOKENLAB_HOST": "127.0.0.1",
        "TOKENLAB_PORT": "0",
        "TOKENLAB_DATA_DIR": str(data),
        "TOKENLAB_TOKEN": TOKEN,
        "PATH": f"{program}:/usr/bin:/bin",
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
        use(httpx2.Client(base_url=f"{address}api/v1", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60), image)
    finally:
        process.terminate()
        _, logged = process.communicate(timeout=60)
    assert process.returncode == 0
    lines = [json.loads(line) for line in logged.splitlines() if line.startswith("{")]
    assert "/api/v1/tokenize" in [each.get("path") for each in lines]
    assert all(each.stat().st_uid == user for each in data.rglob("*"))


def use(lab: httpx2.Client, folder: Path) -> None:
    """Encodes, writes Arrow, reads Parquet, counts a corpus and draws it: what the packages are there for."""
    text = "Hello, world"
    body = {"tokenizer": "gpt2", "text": text, "fields": ["ids"]}
    assert lab.post("/tokenize", json=body).raise_for_status().json()["ids"] == [15496, 11, 995]
    headers = {"Content-Type": "text/plain", "Accept": "application/vnd.apache.arrow.stream"}
    rows = lab.post("/tokenize_rows?tokenizer=gpt2", content=text, headers=headers).raise_for_status().content
    assert pyarrow.ipc.open_stream(rows).read_all()["ids"].to_pylist() == [[15496, 11, 995]]
    texts = folder / "texts.parquet"
    parquet.write_table(pyarrow.table({"text": [text] * 3}), texts, compression="zstd")
    texts.chmod(0o644)
    corpus = lab.post("/corpora", json={"paths": [str(texts)], "title": "Texts"}).raise_for_status().json()["id"]
    job = lab.post("/analyses", json={"corpus": corpus, "tokenizers": ["gpt2"]}).raise_for_status().json()["id"]
    until(lambda: lab.get(f"/jobs/{job}").json()["state"] not in ("waiting", "running"), "the corpus is not counted")
    job = lab.get(f"/jobs/{job}").json()
    assert job["state"] == "done", job
    figures = f"/analyses/{job['result']['id']}/figures"
    drawn = [each["name"] for each in lab.get(figures).raise_for_status().json()["figures"] if not each["reason"]]
    traces = {
        trace["type"]
        for name in drawn
        for trace in lab.get(f"{figures}/{name}").raise_for_status().json()["figure"]["data"]
    }
    assert traces >= {"bar", "scatter"}, traces
