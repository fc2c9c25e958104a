"""A browser with the real lab in it: a server process of its own, Chromium, and a page that may talk to nothing else.

A test fails when the page asks for anything outside the machine, reports an error on the console, or throws.
"""

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Error, Locator, Page, Request, expect, sync_playwright

DEBIAN_CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_S = 30
expect.set_options(timeout=PATIENCE_S * 1000)


def tokenlab() -> str:
    """The command that was installed beside this Python."""
    found = shutil.which("tokenlab", path=str(Path(sys.executable).parent))
    assert found, "tokenlab is not installed: run `make setup`"
    return found


class Server:
    """`tokenlab serve` in a process of its own, with a data directory of its own."""

    def __init__(self, folder: Path) -> None:
        self.environment = {**os.environ, "TOKENLAB_DATA_DIR": str(folder), "PYTHONUNBUFFERED": "1"}
        command = [tokenlab(), "serve", "--port", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, env=self.environment, text=True)
        assert self.process.stdout
        self.address = self.process.stdout.readline().strip()
        parts = urlsplit(self.address)
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self.token = parts.query.removeprefix("token=")

    def call(self, method: str, path: str, body: object = None) -> dict:
        """The answer of the interface, as data."""
        request = urllib.request.Request(f"{self.origin}/api/v1/{path}", method=method)
        request.add_header("Authorization", f"Bearer {self.token}")
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.loads(answer.read() or "{}")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=PATIENCE_S)
        if self.process.stdout:
            self.process.stdout.close()


class Lab:
    """The page, and what tests do to it over and over."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page = page
        self.server = server
        self.tolerated: tuple[str, ...] = ()
        self.text = page.locator("[data-role=text-input]")
        self.error = page.locator("[data-role=error]")
        self.live = page.locator("[data-role=live]")

    def open(self, screen: str = "inspect") -> None:
        self.page.goto(f"{self.server.address}#/{screen}")
        self.ready()

    def go(self, screen: str) -> None:
        self.page.locator(f".rail a[href='#/{screen}']").click()
        self.ready()

    def ready(self) -> None:
        """Until everything asked for is drawn. Polled: the page's policy forbids waiting on an expression."""
        end = time.monotonic() + PATIENCE_S
        quiet = 0
        while quiet < 2:
            quiet = quiet + 1 if self.page.evaluate("document.documentElement.dataset.state") == "ready" else 0
            assert time.monotonic() < end, "the page stayed busy"
            self.page.wait_for_timeout(30)

    def write(self, text: str) -> None:
        """Replaces the text as somebody at the keyboard would."""
        self.text.focus()
        self.page.keyboard.press("Control+A")
        if text:
            self.page.keyboard.insert_text(text)
        else:
            self.page.keyboard.press("Delete")
        self.ready()

    def set_text(self, text: str) -> None:
        """Replaces the text through the editor, where a keyboard could not (control characters, a megabyte)."""
        self.page.evaluate(
            """text => {
                const { view } = document.querySelector('token-text');
                view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: 'input.paste' });
            }""",
            text,
        )
        self.ready()

    @property
    def current_text(self) -> str:
        return self.page.evaluate("document.querySelector('token-text').text")

    def tokens(self, tokenizer: str | None = None) -> list[dict]:
        """What is drawn: id and UTF-8 span of every token that has a place in the text, in the order of the text."""
        found = [
            {"id": piece["id"], "start": piece["start"], "end": piece["end"]}
            for piece in self.pieces(tokenizer)
            if not piece["part"]
        ]
        return sorted(found, key=lambda token: (token["start"], token["end"]))

    def pieces(self, tokenizer: str | None = None) -> list[dict]:
        """The blocks that are drawn, in the order of the text: a token on two rows has two, each with its `box`."""
        # As one string: Playwright takes ten times as long to check and to build thousands of objects.
        lanes = json.loads(self.page.evaluate("JSON.stringify(document.querySelector('token-text').drawnLanes)"))
        return [piece for lane in lanes if tokenizer in (None, lane["tokenizer"]) for piece in lane["pieces"]]

    def box(self, id: int, tokenizer: str | None = None) -> dict:
        """Where the first token with that id is in the window."""
        return next(piece["box"] for piece in self.pieces(tokenizer) if piece["id"] == id)

    def point_at(self, box: dict) -> None:
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def expected(self, tokenizer: str, text: str, **options: object) -> list[dict]:
        """What the interface says the page should draw."""
        body = {"tokenizer": tokenizer, "text": text, "specials": "text", **options}
        answer = self.server.call("POST", "tokenize", body)
        places = [(token["id"], *token["span_utf8"]) for token in answer["tokens"] if token["sequence"] is not None]
        found = [{"id": i, "start": start, "end": end} for i, start, end in places]
        return sorted(found, key=lambda token: (token["start"], token["end"]))

    def count(self, tokenizer: str) -> int:
        shown = self.page.locator(f"[data-role=count][data-tokenizer='{tokenizer}']").inner_text()
        return int("".join(c for c in shown if c.isdigit()))

    def switch(self, name: str) -> Locator:
        return self.page.get_by_role("switch", name=name)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, bert_vocab: Path) -> Iterator[Server]:
    """The lab's server with the built-in tokenizers and bert-base-uncased."""
    folder = tmp_path_factory.mktemp("browser-data")
    environment = {**os.environ, "TOKENLAB_DATA_DIR": str(folder)}
    command = [tokenlab(), "add", str(bert_vocab), "--id", "bert-base-uncased"]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    started = Server(folder)
    yield started
    started.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = str(DEBIAN_CHROMIUM) if DEBIAN_CHROMIUM.exists() else None
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def preferences() -> dict:
    """What the lab remembers when a test begins; a test module or class may replace it."""
    return {"chosen": ["bert-base-uncased", "gpt2"], "active": "gpt2", "theme": "light"}


@pytest.fixture
def open_page(browser: Browser, server: Server) -> Iterator[Callable[..., Lab]]:
    """Opens pages that are watched."""
    opened = []

    def make(**options: object) -> Lab:
        context = browser.new_context(viewport={"width": 1280, "height": 800}, **options)
        page = context.new_page()
        lab = Lab(page, server)
        complaints: list[str] = []
        saving: set[Request] = set()
        opened.append((context, lab, complaints, saving))
        page.on("request", lambda r: saving.add(r) if r.method == "PUT" and r.url.endswith("/preferences") else None)
        page.on("requestfinished", lambda r: saving.discard(r))
        page.on("requestfailed", lambda r: saving.discard(r))
        page.on("request", lambda r: complaints.append(f"left the machine: {r.url}") if _leaves(r.url) else None)
        page.on("pageerror", lambda error: complaints.append(f"threw: {error}"))
        page.on(
            "console", lambda m: complaints.append(f"console: {m.text}") if m.type in ("error", "warning") else None
        )
        return lab

    yield make
    for context, lab, complaints, saving in opened:
        if not lab.page.is_closed():
            # A page saves its switches late, and when it closes: they would be those of the next test. From now on it asks
            # for nothing any more, and what is on its way is waited for.
            with suppress(Error):
                lab.page.evaluate("() => { window.fetch = () => new Promise(() => {}); }")
            end = time.monotonic() + PATIENCE_S
            while saving and time.monotonic() < end:
                lab.page.wait_for_timeout(20)
        context.close()
        serious = [one for one in complaints if not any(part in one for part in lab.tolerated)]
        assert not serious, serious


def _leaves(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme not in ("data", "blob", "about") and parts.hostname != "127.0.0.1"


@pytest.fixture
def lab(open_page: Callable[..., Lab], server: Server, preferences: dict) -> Lab:
    """Inspect, freshly opened."""
    server.call("PUT", "preferences", preferences)
    fresh = open_page()
    fresh.open()
    return fresh


@pytest.fixture(scope="session")
def axe(root: Path) -> str:
    path = root / "node_modules" / "axe-core" / "axe.min.js"
    if not path.is_file():
        pytest.skip("axe-core is not installed: npm ci")
    return path.read_text(encoding="utf-8")
