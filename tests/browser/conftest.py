"""A browser with the real lab in it: a server process of its own, Chromium, and a page that may talk to nothing else.

A test fails when the page asks for anything outside the machine, reports an error on the console, or throws.
"""

import json
import os
import re
import time
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

from tests.browser.server import PATIENCE_S, Server

SCREENS = [
    "inspect",
    "compare",
    "vocabulary",
    "corpus",
    "chat",
    "benchmark",
    "train",
    "workshop",
    "learn",
    "library",
    "reports",
]
"""In the order of the rail."""
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
VIEWPORT = {"width": 1280, "height": 800}
MOST_TESTS = 25
"""In one process. More would fill it with what pages left."""
WATCH = Path(__file__).with_name("watch.js")
READY = """([patience, idle]) => {
    if (!window.tested) throw new Error('the page was opened before it was watched');
    return tested.settled(patience, idle);
}"""
BEGIN = """async ([address, patience]) => {
    await tested.begin(address);
    const done = await tested.settled(patience, false);
    document.activeElement?.blur();
    return done;
}"""
MEDIA = ("color_scheme", "reduced_motion", "forced_colors", "contrast")
MENU = "(e, open) => { const menu = e.closest('menu-button'); if (menu) menu.open = open; }"
PROBE = "/icon.svg?intercepted"
JOB_EVENTS = "**/api/v1/jobs/events"
FRAMES = "n => new Promise(done => { const next = () => (n-- ? requestAnimationFrame(next) : done()); next(); })"
expect.set_options(timeout=PATIENCE_S * 1000)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "new_document(alone): the lab in a document that no other test uses")


class Lab:
    """The page, and what tests do to it over and over."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page = page
        if page.url.startswith("http"):
            page.evaluate(f"() => {{ {WATCH.read_text(encoding='utf-8')} }}")
        page.add_init_script(path=WATCH)
        self.server = server
        self.tolerated: tuple[str, ...] = ()
        """Parts of complaints that a test expects."""
        self.text = page.locator("[data-role=text-input]")
        self.error = page.locator("[data-role=error]")
        self.live = page.locator("[data-role=live]")
        self._complaints: list[str] = []
        self._saving: set[Request] = set()
        self._undo: list[Callable[[], None]] = []
        self._route = page.route
        page.route = self.route  # type: ignore[method-assign]

    def watch(self) -> None:
        """Notes from now on what the page asks for and complains of."""
        page, complaints, saving = self.page, self._complaints, self._saving
        # Chromium hands over file dialogs from the first listener on: one that comes with the key may come too late.
        page.on("filechooser", lambda _: None)
        page.on("request", self._asked)
        page.on("requestfinished", lambda request: saving.discard(request))
        page.on("requestfailed", lambda request: saving.discard(request))
        page.on("pageerror", lambda error: complaints.append(f"threw: {error}"))
        page.on(
            "console",
            lambda m: (
                complaints.append(f"console: {m.text} {m.location['url']}") if m.type in ("error", "warning") else None
            ),
        )

    def _asked(self, request: Request) -> None:
        self.server.note(request.method, request.url)
        if request.method == "PATCH" and request.url.endswith("/preferences"):
            self._saving.add(request)
        if _leaves(request.url):
            self._complaints.append(f"left the machine: {request.url}")

    def share(self) -> None:
        """From now on `begin` and `end` bring the page back to its start for each of several tests."""
        listen, emulate = self.page.on, self.page.emulate_media

        def noted_on(event: Any, act: Callable[..., None]) -> None:
            self._undo.append(lambda: self.page.remove_listener(event, act))
            listen(event, act)

        def noted_media(**features: Any) -> None:
            self._undo.append(lambda: emulate(media="null", **dict.fromkeys(MEDIA, "null")))
            emulate(**features)

        self.page.on = noted_on  # type: ignore[method-assign, assignment]
        self.page.emulate_media = noted_media  # type: ignore[method-assign]

    def begin(self) -> None:
        """Starts the lab in the page that `end` left, as `open` does in a new one."""
        if not self.page.url.startswith("http"):
            self.open()
            return
        assert self.page.evaluate(BEGIN, ["#/inspect", PATIENCE_S * 1000]), "the page stayed busy"

    def start_again(self, address: str = "#/inspect") -> None:
        """Starts the lab anew in the same document, with what the server has got since: a third of the time of a reload."""
        self.idle()
        self.page.evaluate("tested.end()")
        self.saved()
        assert self.page.evaluate(BEGIN, [address, PATIENCE_S * 1000]), "the page stayed busy"

    def end(self) -> None:
        """Takes away what a test has left in the page: elements, text, settings, timers, connections, listeners, routes,
        emulated media, size, pointer. If something is under way that would come to the next test, the page is left."""
        quiet = False
        with suppress(Error):  # the page may be between two documents
            quiet = self.page.evaluate("tested.end()")
        self.saved()
        for undo in self._undo:
            undo()
        self._undo.clear()
        self.page.unroute_all()
        if self.page.viewport_size != VIEWPORT:
            self.page.set_viewport_size(VIEWPORT)
        self.page.mouse.move(0, 0)
        if not quiet:
            self.page.goto("about:blank")

    def saved(self) -> None:
        """Waits until the preferences that are on their way are saved: they would be those of the next test."""
        self.until(lambda: not self._saving, "the preferences are saved")

    def check(self) -> None:
        """Fails if the page complained of what the test does not tolerate."""
        serious = [one for one in self._complaints if not any(part in one for part in self.tolerated)]
        self._complaints.clear()
        self.tolerated = ()
        assert not serious, serious

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
        """Waits until everything that was asked for is drawn: the page says so, and draws no more, in two frames in a row."""
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

    A page opens here in two thirds of the processor time that it takes in a new process; and the first page is that of
    `lab`, which begins in it in two fifths.
    """

    def __init__(self, browser: Browser, server: Server) -> None:
        self._browser = browser
        self._server = server
        self._context: BrowserContext | None = None
        self._shared: Lab | None = None
        self._tests = 0
        self.is_taken = False

    def context(self) -> BrowserContext:
        """The context, with no page but the shared one."""
        if self._tests >= MOST_TESTS or (self._shared and self._shared.page.is_closed()):
            self.leave()
        if self._context is None:
            self._context = self._browser.new_context(viewport=VIEWPORT)
            self._tests = 0
            self._shared = Lab(self._context.new_page(), self._server)
            self._shared.watch()
            self._shared.share()
        self._tests += 1
        return self._context

    def take(self) -> Lab:
        """The shared page, in which the lab begins."""
        self.context()
        assert self._shared
        self.is_taken = True
        self._shared.begin()
        return self._shared

    def give_back(self) -> None:
        """Clears the shared page for the next test."""
        self.is_taken = False
        if self._shared and not self._shared.page.is_closed():
            self._shared.end()
        self.clear()

    def clear(self) -> None:
        """Closes the pages that a test has opened, and removes what they left in the context."""
        assert self._context
        for page in self._context.pages[1:]:
            page.close()
        self._context.clear_permissions()

    def leave(self) -> None:
        """Ends the process. The next test gets a new one."""
        if self._context is not None:
            self._context.close()
        self._context = self._shared = None


@pytest.fixture(scope="session")
def process(browser: Browser, server: Server) -> Iterator[Process]:
    shared = Process(browser, server)
    yield shared
    shared.leave()


@pytest.fixture
def open_page(browser: Browser, server: Server, process: Process) -> Iterator[Callable[..., Lab]]:
    """Opens new pages that are watched.

    The first page of a test shares a process with those of other tests, unless it is `alone` or has options of its own:
    a test that measures memory needs a process for itself.
    """
    opened: list[tuple[BrowserContext | None, Lab]] = []

    def make(on: Server = server, *, alone: bool = False, **options: Any) -> Lab:
        shares = not (opened or alone or options or process.is_taken)
        context = process.context() if shares else browser.new_context(viewport=VIEWPORT, **options)
        lab = Lab(context.new_page(), on)
        lab.watch()
        opened.append((None if shares else context, lab))
        return lab

    yield make
    for context, lab in opened:
        if not lab.page.is_closed():
            with suppress(Error):
                lab.page.evaluate("tested.end()")
            lab.saved()
        if context is None:
            process.clear()
        else:
            context.close()
        if lab.server.process.poll() is None:  # a test may have stopped its own
            lab.server.reset()
        lab.check()


def _leaves(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme not in ("data", "blob", "about") and parts.hostname != "127.0.0.1"


@pytest.fixture
def lab(request: pytest.FixtureRequest, process: Process, server: Server, preferences: dict) -> Iterator[Lab]:
    """Inspect, as it is when the lab was just opened, in a document that tests share: a new one costs three times the time.

    When a test ends, all that is in the page is taken away (`Lab.end`); for the next one the lab begins in it anew. Mark
    a test `new_document` that changes what a document has only once (prototypes, fonts, sockets), and
    `new_document(alone=True)` one that measures memory. Tests of opening call `open_page`.
    """
    server.call("PUT", "preferences", preferences)
    if marker := request.node.get_closest_marker("new_document"):
        fresh = request.getfixturevalue("open_page")(**marker.kwargs)
        fresh.open()
        yield fresh
        return
    failures = request.session.testsfailed
    shared = process.take()
    yield shared
    process.give_back()
    server.reset()
    if request.session.testsfailed > failures:
        process.leave()  # nobody knows what it left
    shared.check()


class Axe:
    """What axe-core finds that keeps somebody from using a page."""

    def __init__(self, source: str) -> None:
        self._source = source

    def check(self, page: Page, part: str = "html", **options: object) -> None:
        """Fails if axe finds something serious in the page, or anything at all in a part of it."""
        if page.evaluate("!window.axe"):
            page.evaluate(self._source)
        options = {"resultTypes": ["violations"], **options}
        found = page.evaluate("([part, options]) => axe.run(part, options)", [part, options])["violations"]
        faults = {
            one["id"]: [node["html"][:200] + " " + node.get("failureSummary", "")[:300] for node in one["nodes"][:3]]
            for one in found
            if part != "html" or one["impact"] in ("serious", "critical")
        }
        assert not faults, (page.evaluate("document.documentElement.dataset.theme"), faults)

    def check_themes(
        self,
        lab: Lab,
        part: str = "html",
        views: Sequence[Callable[[], None]] = (lambda: None,),
        dark: Sequence[Callable[[], None]] | None = None,
    ) -> None:
        """As `check`, light and dark. They differ in colours alone: the second one is asked only for what depends on them.

        Several `views`, each as what one does to see it, are all looked at in the one theme and then in the other: with
        a theme, every chart of the page is drawn anew. `dark` are those that are looked at in the dark one, if not all.
        """
        colours = {"runOnly": ["color-contrast", "link-in-text-block"]}
        for theme, rules, shown in (("light", {}, views), ("dark", colours, views if dark is None else dark)):
            lab.page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
            for show in shown:
                show()
                lab.idle()
                self.check(lab.page, part, **rules)


@pytest.fixture(scope="session")
def axe(root: Path) -> Axe:
    path = root / "node_modules" / "axe-core" / "axe.min.js"
    if not path.is_file():
        pytest.skip("axe-core is not installed: npm ci")
    return Axe(path.read_text(encoding="utf-8"))
