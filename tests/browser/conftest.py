"""A browser with the real lab in it: a server process of its own, Chromium, and a page that may talk to nothing else.

A test fails when the page asks for anything outside the machine, reports an error on the console, or throws.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Error,
    Locator,
    Page,
    Playwright,
    Request,
    Route,
    expect,
    sync_playwright,
)

from tests.processes import tied

SYSTEM_BROWSERS = ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium")
"""Those of Debian, the quicker one first: the headless shell opens the page in a third of the processor time. Playwright
has the same two in its own folder, and takes the shell by itself."""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--renderer-process-limit=1",
]
"""With the last one, the pages of one context share a process."""
FONTS = Path(__file__).with_name("fonts.conf")
# Before any browser is started, which inherits it.
os.environ["FONTCONFIG_FILE"] = str(FONTS)
PATIENCE_S = 30
VIEWPORT = {"width": 1280, "height": 800}
MOST_PAGES = 25
"""Opened in one process. More would fill it with what closed pages left."""
# Before the page's own scripts: counts what is under way that the page does not count among its work.
WATCH = """(() => {
    const { setTimeout: start, clearTimeout: stop, fetch: ask } = window, waiting = new Set();
    let asked = 0;
    window.setTimeout = (act, ms = 0, ...rest) => {
        const timer = start((...given) => { waiting.delete(timer); act(...given); }, ms, ...rest);
        if (ms < 900) waiting.add(timer);
        return timer;
    };
    window.clearTimeout = timer => { waiting.delete(timer); stop(timer); };
    window.fetch = async (...given) => {
        asked++;
        try { return await ask(...given); } finally { asked--; }
    };
    const moves = animation => animation.playState === 'running' && animation.effect.getComputedTiming().endTime !== Infinity;
    window.isIdle = () => !waiting.size && !asked && !document.getAnimations().some(moves);
})()"""
READY = """([patience, idle]) => new Promise(resolve => {
    let quiet = 0;
    const end = performance.now() + patience, look = () => {
        quiet = document.documentElement.dataset.state === 'ready' && (!idle || isIdle()) ? quiet + 1 : 0;
        if (quiet > 3 || performance.now() > end) resolve(quiet > 3);
        else requestAnimationFrame(look);
    };
    look();
})"""
MENU = "(e, open) => { const menu = e.closest('menu-button'); if (menu) menu.open = open; }"
PROBE = "/icon.svg?intercepted"
JOB_EVENTS = "**/api/v1/jobs/events"
FRAMES = "n => new Promise(done => { const next = () => (n-- ? requestAnimationFrame(next) : done()); next(); })"
expect.set_options(timeout=PATIENCE_S * 1000)


def tokenlab() -> str:
    """The command that was installed beside this Python."""
    found = shutil.which("tokenlab", path=str(Path(sys.executable).parent))
    assert found, "tokenlab is not installed: run `make setup`"
    return found


class Server:
    """`tokenlab serve` in a process of its own, with a data directory of its own."""

    def __init__(self, folder: Path, program: Sequence[str] = (), **environment: str) -> None:
        self.environment = {**os.environ, "TOKENLAB_DATA_DIR": str(folder), "PYTHONUNBUFFERED": "1", **environment}
        command = [*(program or [tokenlab()]), "serve", "--port", "0"]
        self.process = subprocess.Popen(tied(*command), stdout=subprocess.PIPE, env=self.environment, text=True)
        assert self.process.stdout
        self.address = self.process.stdout.readline().strip()
        parts = urlsplit(self.address)
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self.token = parts.query.removeprefix("token=")
        self._catalog = self._tokenizers()

    def _tokenizers(self) -> set[str]:
        return {entry["id"] for entry in self.call("GET", "tokenizers")["tokenizers"] if entry["available"]}

    def reset(self) -> None:
        """Takes away what a test has left. The next one may be any other: their order differs between machines."""
        for job in self.call("GET", "jobs")["jobs"]:
            if job["state"] in ("waiting", "running"):
                self.call("DELETE", f"jobs/{job['id']}")
        for session in self.call("GET", "sessions")["sessions"]:
            self.call("DELETE", f"sessions/{session['id']}")
        for analysis in self.call("GET", "analyses")["analyses"]:
            self.call("DELETE", f"analyses/{analysis['id']}")
        for benchmark in self.call("GET", "benchmarks")["benchmarks"]:
            self.call("DELETE", f"benchmarks/{benchmark['id']}")
        self._remove_trainings()
        for corpus in self.call("GET", "corpora")["corpora"]:
            if not corpus["builtin"]:
                self.call("DELETE", f"corpora/{corpus['id']}")
        for tokenizer in self._tokenizers() - self._catalog:
            self.call("DELETE", f"tokenizers/{tokenizer}")
        self.call("PUT", "preferences", {})

    def _remove_trainings(self) -> None:
        """Cancels those that run, and deletes each when it has ended."""
        end = time.monotonic() + PATIENCE_S
        while trainings := self.call("GET", "trainings")["trainings"]:
            if time.monotonic() > end:
                pytest.fail(f"in {PATIENCE_S} s these trainings did not end: {trainings}")
            for training in trainings:
                with suppress(urllib.error.HTTPError):  # it is ending at this moment
                    self.call("DELETE", f"trainings/{training['id']}")

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
        page.add_init_script(WATCH)
        self.server = server
        self.tolerated: tuple[str, ...] = ()
        self.text = page.locator("[data-role=text-input]")
        self.error = page.locator("[data-role=error]")
        self.live = page.locator("[data-role=live]")
        self._route = page.route
        page.route = self.route  # type: ignore[method-assign]

    def route(self, url: str | re.Pattern[str], handler: Callable[..., Any], **options: Any) -> None:
        """As `Page.route`, which this replaces, but returns when requests are intercepted.

        Chromium says so a moment earlier: the page could still send a request past the handler.
        """
        self._route(url, handler, **options)
        if not self.page.url.startswith("http"):
            return
        caught: list[str] = []

        def catch(route: Route) -> None:
            caught.append(route.request.url)
            route.fulfill(body="")

        def asked() -> list[str]:
            self.page.evaluate("address => fetch(address)", PROBE)
            return caught

        self._route(f"**{PROBE}", catch)
        self.until(asked, "requests are intercepted")
        self.page.unroute(f"**{PROBE}")

    def open(self, screen: str = "inspect") -> None:
        """Opens a screen. The text, which has the focus at first, is left, so that single keys are commands."""
        self.page.goto(f"{self.server.address}#/{screen}")
        self.ready()
        self.page.evaluate("document.activeElement?.blur()")

    def go(self, screen: str) -> None:
        self.page.locator(f".rail a[href='#/{screen}']").click()
        self.ready()

    def ready(self) -> None:
        """Waits until everything that was asked for is drawn: until the page says so in four frames in a row."""
        self._wait(idle=False)

    def idle(self) -> None:
        """Waits until nothing is going to happen by itself: no answer, timer (of less than 900 ms) or motion is left.

        A search that waits for the next key has been asked and answered then, and the preferences are saved.
        """
        self._wait(idle=True)

    def frames(self, number: int = 5) -> None:
        """Waits for some frames: what the page draws without asking anybody is drawn."""
        self.page.evaluate(FRAMES, number)

    def until(self, probe: Callable[[], Any], what: str) -> Any:
        """Calls `probe` until it gives something true, which is returned; fails with `what` did not happen."""
        end = time.monotonic() + PATIENCE_S
        while not (found := probe()):
            if time.monotonic() > end:
                pytest.fail(f"in {PATIENCE_S} s not: {what}")
            self.page.wait_for_timeout(20)  # Playwright handles what happened in the page
        return found

    @contextmanager
    def news_held(self) -> Iterator[None]:
        """Holds back what the page hears of the jobs that it starts: it shows them running, however soon they end."""
        held: list[Route] = []
        self.page.route(JOB_EVENTS, lambda route: held.append(route))
        yield
        self.until(lambda: held, "the page asks for the events of a job")
        for route in held:
            route.continue_()
        self.page.unroute(JOB_EVENTS)

    def _wait(self, *, idle: bool) -> None:
        try:
            done = self.page.evaluate(READY, [PATIENCE_S * 1000, idle])
        except Error:  # the page was between two documents: the next one is waited for
            self.page.wait_for_load_state()
            done = self.page.evaluate(READY, [PATIENCE_S * 1000, idle])
        assert done, "the page stayed busy"

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
        """A switch, also one in a menu that is closed."""
        return self.page.get_by_role("switch", name=name, include_hidden=True)

    def radio(self, name: str, *, exact: bool = False) -> Locator:
        """One of a row of choices, also one in a menu that is closed."""
        return self.page.get_by_role("radio", name=name, exact=exact, include_hidden=True)

    def reveal(self, control: Locator) -> Locator:
        """Opens the menu that holds a control, if it is in one."""
        control.evaluate(MENU, True)
        return control

    def press(self, control: Locator) -> None:
        """Presses a control; if it is in a menu, the menu is opened before and closed after."""
        self.reveal(control).click()
        control.evaluate(MENU, False)

    def show_steps(self) -> None:
        """Unfolds the steps of the tokenizer in Inspect, if they are folded."""
        button = self.page.locator("[aria-controls=steps]")
        if button.get_attribute("aria-expanded") == "false":
            button.click()
        self.ready()

    def choose(self, position: int) -> None:
        """Puts the caret behind so many characters, which selects the token there."""
        self.page.evaluate("at => document.querySelector('token-text').moveCaret(at)", position)
        self.ready()

    def tip(self, fact: str) -> Locator:
        """What a figure over the text says of itself."""
        return self.page.locator(f"#{self.page.locator(f'[data-fact={fact}]').get_attribute('aria-describedby')}")

    def take_sample(self, name: str) -> None:
        """Makes a sample the text."""
        self.press(self.page.locator(f"[data-sample={name}]"))
        self.ready()

    def select(self, role: str, option: str) -> None:
        """Chooses an option of the list with that `data-role`, also in a menu that is closed."""
        choice = self.page.locator(f"[data-role={role}]")
        self.reveal(choice).select_option(option)
        choice.evaluate(MENU, False)

    def treat_special_text(self, words: str) -> None:
        """Chooses how text that looks like a special token is treated: the words of the choice."""
        self.select("special-text", words)


@pytest.fixture(scope="session", autouse=True)
def _bundle(page_bundle: None) -> None:
    """Every test here opens the page."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The lab's server with the built-in tokenizers."""
    started = Server(tmp_path_factory.mktemp("browser-data"))
    yield started
    started.stop()


def launch(playwright: Playwright, *arguments: str) -> Browser:
    """Starts the system's Chromium, or Playwright's own if the system has none."""
    path = next((path for path in SYSTEM_BROWSERS if Path(path).exists()), None)
    return playwright.chromium.launch(executable_path=path, args=[*ARGUMENTS, *arguments])


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = launch(playwright)
        yield chromium
        chromium.close()


@pytest.fixture
def preferences() -> dict:
    """What the lab remembers when a test begins; a test module or class may replace it."""
    return {"chosen": ["bert-base-uncased", "gpt2"], "active": "gpt2", "theme": "light"}


class Process:
    """A context whose pages share a process, in which the scripts of the page are already compiled.

    A page opens here in two thirds of the processor time that it takes in a new process.
    """

    def __init__(self, browser: Browser, server: Server) -> None:
        self._browser = browser
        self._server = server
        self._context: BrowserContext | None = None
        self._opened = 0

    def context(self) -> BrowserContext:
        """The context, without cookies, permissions and pages other than the one that keeps the process running."""
        if self._opened >= MOST_PAGES:
            self.end()
        if self._context is None:
            self._context = self._browser.new_context(viewport=VIEWPORT)
            self._opened = 0
            self._context.new_page().goto(f"{self._server.origin}/icon.svg")
        self._opened += 1
        return self._context

    def clear(self) -> None:
        """Closes the pages of a test and removes what they left in the context."""
        assert self._context
        for page in self._context.pages[1:]:
            page.close()
        self._context.clear_cookies()
        self._context.clear_permissions()

    def end(self) -> None:
        """Ends the process. The next test gets a new one."""
        if self._context is not None:
            self._context.close()
        self._context = None


@pytest.fixture(scope="session")
def process(browser: Browser, server: Server) -> Iterator[Process]:
    shared = Process(browser, server)
    yield shared
    shared.end()


@pytest.fixture
def open_page(browser: Browser, server: Server, process: Process) -> Iterator[Callable[..., Lab]]:
    """Opens pages that are watched.

    The first page of a test shares a process with those of other tests, unless it is `alone` or has options of its own:
    a test that measures memory needs a process for itself.
    """
    opened = []

    def make(on: Server = server, *, alone: bool = False, **options: object) -> Lab:
        shares = not (opened or alone or options)
        context = process.context() if shares else browser.new_context(viewport=VIEWPORT, **options)
        page = context.new_page()
        lab = Lab(page, on)
        complaints: list[str] = []
        saving: set[Request] = set()
        opened.append((None if shares else context, lab, on, complaints, saving))
        # Chromium hands over file dialogs from the first listener on: one that comes with the key may come too late.
        page.on("filechooser", lambda _: None)
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
    for context, lab, on, complaints, saving in opened:
        if not lab.page.is_closed():
            # A page saves its switches late, and when it closes: they would be those of the next test. From now on it asks
            # for nothing any more, and what is on its way is waited for.
            with suppress(Error):
                lab.page.evaluate("() => { window.fetch = () => new Promise(() => {}); }")
            lab.until(lambda saving=saving: not saving, "the preferences are saved")
        if context is None:
            process.clear()
        else:
            context.close()
        if on.process.poll() is None:  # a test may have stopped its own
            on.reset()
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


@pytest.fixture
def lab_alone(open_page: Callable[..., Lab], server: Server, preferences: dict) -> Lab:
    """Inspect, freshly opened, in a process of its own."""
    server.call("PUT", "preferences", preferences)
    fresh = open_page(alone=True)
    fresh.open()
    return fresh


@pytest.fixture(scope="session")
def axe(root: Path) -> str:
    path = root / "node_modules" / "axe-core" / "axe.min.js"
    if not path.is_file():
        pytest.skip("axe-core is not installed: npm ci")
    return path.read_text(encoding="utf-8")
