"""The frame around the screens: how the page comes, screens that are opened, left and destroyed, and a new one."""

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SCREENS, Lab, Server
from tests.scale import scaled

MOST_REQUESTS = 14  # of Reports, which lists results of four kinds and their names
WARM_UP = 10  # rounds in which the browser compiles what runs often: its code is on the same heap
ROUNDS = scaled(4)

# Opens one screen after the other, each as soon as the one before it is ready.
ROTATE = """async ([screens, rounds]) => {
    const frame = () => new Promise(resolve => requestAnimationFrame(resolve));
    for (let round = 0; round < rounds; round++)
        for (const screen of screens) {
            location.hash = `#/${screen}`;
            do await frame(); while (!document.querySelector(`.screen[data-screen=${screen}]`));
            do await frame(); while (document.documentElement.dataset.state !== 'ready');
        }
}"""

TOY = """
import { Screen } from '../../app/screen.js';
import { h } from '../../ui/dom.js';

export default class ToyScreen extends Screen {
  static settings = { loud: { default: false, url: 'loud' } };
  #settings;

  mount(root, { settings, status }) {
    window.toy = [];
    this.#settings = settings;
    const button = h('button', { onclick: () => settings.set({ 'toy.loud': !settings.get('toy.loud') }) }, 'Loud');
    const draw = () => { button.ariaPressed = String(settings.get('toy.loud')); };
    settings.on(['toy.loud'], draw, this.life);
    document.addEventListener('toy', () => window.toy.push('heard'), { signal: this.life });
    draw();
    root.append(h('div', { class: 'toy' }, button));
    status.note('a note of the toy');
  }
  activate(params, signal) {
    window.toy.push(`activate ${params}`);
    signal.addEventListener('abort', () => window.toy.push('signal'));
  }
  deactivate() { window.toy.push('deactivate'); }
  destroy() { super.destroy(); window.toy.push('destroy'); }
  get commands() { return [{ label: 'Play', keys: ['q'], run: () => window.toy.push('play') }]; }
}
"""
LINE = "  { name: 'toy', label: 'Toy', icon: 'M4 4h16v16H4z', load: () => import('./screens/toy/screen.js') },\n];"
# As `tokenlab`, with the page of another folder.
WITH_PAGE = """
import sys
from pathlib import Path
from urllib.parse import urlsplit
from lab_app import paths
paths.page = lambda: Path({folder!r})
from lab_app.cli.main import main
sys.argv[0] = "tokenlab"
main()
"""


QUICK = """
import sys
from lab_app.api import app
from lab_app.api.quick_start import startup
def fail(*arguments, **options): raise ImportError("the whole app")
app.create_app = fail
make = startup.StartupApp.__init__
def for_window(self, settings, requests=None, *, at_once=False, **options): make(self, settings, requests, **options)
startup.StartupApp.__init__ = for_window
from lab_app.cli.main import main
sys.argv[0] = "tokenlab"
main()
"""


@pytest.fixture(scope="module")
def toy(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The lab with the modules as they are written, and one more screen: a folder and a line."""
    folder = tmp_path_factory.mktemp("toy")
    page = folder / "lab_ui"
    shutil.copytree(root / "lab_ui", page)
    (page / "js" / "screens" / "toy").mkdir()
    (page / "js" / "screens" / "toy" / "screen.js").write_text(TOY)
    (page / "js" / "screens" / "toy" / "toy.css").write_text(".toy { outline: 3px solid rgb(1, 2, 3); }")
    screens = page / "js" / "screens.js"
    screens.write_text("".join(screens.read_text().rpartition("];")[:1]) + LINE)
    program = folder / "with_page.py"
    program.write_text(WITH_PAGE.format(folder=str(page)))
    started = Server(folder / "data", [sys.executable, str(program)], TOKENLAB_DEV="1")
    yield started
    started.stop()


def test_the_bundle_opens_in_few_requests(open_page: Callable[..., Lab]):
    for screen in SCREENS:
        lab = open_page()
        asked: list[str] = []
        lab.page.on("request", lambda request, asked=asked: asked.append(request.url))
        lab.open(screen)
        asked = [
            url for url in asked if "token=" not in url
        ]  # answered by a redirect to the address without the secret
        scripts = [url for url in asked if url.endswith(".js")]
        assert all("/vendor/page/" in url for url in scripts), scripts
        assert len(scripts) == 2, "what all share, and the screen"
        assert len(asked) <= MOST_REQUESTS, asked
        early = lab.page.evaluate("[...document.querySelectorAll('link[rel=preload]')].map(link => link.href)")
        assert len(early) == 4 and all(asked.count(url) == 1 for url in early), "asked for early, and used"


def test_a_page_opens_without_the_whole_app(open_page: Callable[..., Lab], tmp_path: Path):
    """No call until it is at rest waits for the import of FastAPI: every other one fails here."""
    program = tmp_path / "quick.py"
    program.write_text(QUICK)
    started = Server(tmp_path / "data", [sys.executable, str(program)])
    try:
        lab = open_page(started)
        calls: dict[str, int] = {}
        lab.page.on("response", lambda answer: calls.update({urlsplit(answer.url).path: answer.status}))
        lab.page.route("**/api/v1/jobs", lambda route: route.fulfill(json={"jobs": []}))  # asked for by a page at rest
        for screen in ("inspect", "compare"):
            calls.clear()
            lab.open(screen)
            lab.idle()
            failed = {path for path, status in calls.items() if status >= 400}
            assert calls and not failed and lab.pieces(), (screen, calls)
            lab.page.goto("about:blank")  # the preferences are saved later, by the whole app
    finally:
        started.stop()


def test_the_modules_open_every_screen(open_page: Callable[..., Lab], toy: Server):
    lab = open_page(toy)
    asked: list[str] = []
    lab.page.on("request", lambda request: asked.append(request.url))
    lab.open()
    assert any(url.endswith("/js/app/start.js") for url in asked) and not any("/vendor/page/" in url for url in asked)
    for screen in SCREENS:
        lab.go(screen)
        expect(lab.page.locator("h1")).to_have_count(1)
        expect(lab.page.locator(f".{screen}, .library").first).to_be_visible()


def test_a_new_screen_is_a_folder_and_a_line(open_page: Callable[..., Lab], toy: Server):
    lab = open_page(toy)
    lab.open("toy?loud=1&q=own")
    page = lab.page
    expect(page.locator(".rail a[href='#/toy'] svg")).to_be_visible()
    expect(page).to_have_title("Toy · Tokenization Laboratory")
    expect(page.locator("footer.status")).to_contain_text("a note of the toy")
    assert page.locator(".toy").evaluate("toy => getComputedStyle(toy).outlineColor") == "rgb(1, 2, 3)"
    loud = page.get_by_role("button", name="Loud")
    expect(loud).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("location.hash") == "#/toy?loud=1&q=own"
    loud.click()
    assert page.evaluate("location.hash") == "#/toy?q=own", "the address no longer says what is not shown"
    lab.idle()
    assert toy.call("GET", "preferences")["toy.loud"] is False
    page.keyboard.press("q")
    lab.page.evaluate("document.dispatchEvent(new Event('toy'))")
    assert page.evaluate("window.toy") == ["activate q=own", "play", "heard"]

    page.evaluate("window.toy = []")
    for screen in ("vocabulary", "library", "reports"):
        lab.go(screen)
    assert page.evaluate("window.toy") == ["signal", "deactivate", "destroy"]
    lab.page.evaluate("document.dispatchEvent(new Event('toy'))")
    assert page.evaluate("window.toy.length") == 3, "nothing of a destroyed screen runs"
    page.locator(".rail a[href='#/toy']").click()
    expect(loud).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("location.hash") == "#/toy?q=own", "a screen keeps its parameters"


@pytest.mark.new_document(alone=True)
def test_opening_and_leaving_every_screen_leaves_nothing(lab: Lab):
    session = lab.page.context.new_cdp_session(lab.page)
    session.send("Performance.enable")

    def measured() -> dict[str, float]:
        lab.idle()
        for _ in range(3):
            session.send("HeapProfiler.collectGarbage")
        metrics = session.send("Performance.getMetrics")["metrics"]
        return {one["name"]: one["value"] for one in metrics}

    order = [*SCREENS[1:], SCREENS[0]]
    lab.page.evaluate(ROTATE, [order, WARM_UP])
    before = measured()
    lab.page.evaluate(ROTATE, [order, ROUNDS])
    after = measured()
    figures = {name: (before[name], after[name]) for name in ("JSEventListeners", "Nodes", "JSHeapUsedSize")}
    assert after["JSEventListeners"] <= before["JSEventListeners"] + ROUNDS // 10, figures
    assert after["Nodes"] <= before["Nodes"] + ROUNDS, figures
    # Twelve kilobytes a round, and code that is compiled late.
    assert after["JSHeapUsedSize"] <= before["JSHeapUsedSize"] + 12_000 * ROUNDS + 400_000, figures


@pytest.mark.new_document
def test_a_screen_that_cannot_be_loaded_says_so(lab: Lab):
    lab.tolerated = ("ERR_FAILED", "Failed to fetch dynamically imported module", "console")
    lab.page.route("**/vendor/page/library-*.js", lambda route: route.abort())
    lab.page.locator(".rail a[href='#/library']").click()
    expect(lab.error).to_contain_text("Library could not be opened")
    lab.go("reports")
    expect(lab.page.locator("h1")).to_have_text("Reports")
    expect(lab.error).to_be_hidden()


def test_the_address_of_a_search_is_true(lab: Lab):
    lab.go("vocabulary")
    lab.page.locator("[data-role=vocabulary-search]").fill("token")
    lab.idle()
    assert lab.page.evaluate("location.hash") == "#/vocabulary?q=token"
    lab.go("library")
    assert lab.page.evaluate("location.hash") == "#/library"
    lab.go("vocabulary")
    assert lab.page.evaluate("location.hash") == "#/vocabulary?q=token", "each screen has its own parameters"
    found = lab.page.locator("[data-role=found]").inner_text()
    lab.page.reload()
    lab.ready()
    expect(lab.page.locator("[data-role=vocabulary-search]")).to_have_value("token")
    expect(lab.page.locator("[data-role=found]")).to_have_text(found)
    lab.page.evaluate("location.hash = '#/vocabulary?q=1000-1010&mode=ids'")
    lab.ready()
    expect(lab.page.locator("[data-role=found]")).to_contain_text("11 of")


def test_going_back_to_a_link_changes_no_setting(lab: Lab):
    lab.page.goto(lab.server.address + "#/compare?t=gpt2&t=cl100k_base&spaces=0")
    lab.ready()
    lab.go("inspect")
    lab.page.locator("tokenizer-chips [data-tokenizer=cl100k_base]").hover()
    lab.page.get_by_role("button", name="Remove cl100k_base").click()
    lab.ready()
    lab.page.go_back()
    lab.ready()
    expect(lab.page.locator(".screen")).to_have_attribute("data-screen", "compare")
    assert lab.page.locator("tokenizer-chips .chip").count() == 1
    assert lab.page.evaluate("location.hash") == "#/compare"


def test_a_reload_shows_a_long_text_and_its_file(lab: Lab):
    text = "line\n" * 20_000
    lab.page.locator("[data-role=text-file]").set_input_files(
        {"name": "long.txt", "mimeType": "text/plain", "buffer": text.encode()}
    )
    lab.ready()
    lab.page.reload()
    lab.ready()
    assert lab.current_text == text
    expect(lab.page.locator("footer.status")).to_contain_text("long.txt")


def test_a_reload_says_that_a_text_was_too_long_to_be_kept(lab: Lab):
    lab.page.locator("[data-role=text-file]").set_input_files(
        {"name": "long.txt", "mimeType": "text/plain", "buffer": b"x y\n" * 500_001}
    )
    lab.ready()
    lab.page.reload()
    lab.ready()
    expect(lab.error).to_contain_text("was not kept over the reload")
    lab.error.get_by_role("button").click()
    expect(lab.error).to_be_hidden()


def test_each_screen_has_a_title_a_heading_and_the_focus(lab: Lab):
    for screen in [*SCREENS[1:], SCREENS[0]]:
        label = screen.capitalize()
        lab.go(screen)
        expect(lab.page).to_have_title(f"{label} · Tokenization Laboratory")
        expect(lab.page.get_by_role("heading", level=1)).to_have_text(label)
        expect(lab.page.get_by_role("heading", level=1)).to_be_focused()


def test_a_screen_that_leaves_the_focus_alone_is_announced(lab: Lab):
    lab.page.locator("[data-role=open-palette]").focus()
    lab.page.keyboard.press("8")
    expect(lab.live).to_have_text("Library")
    expect(lab.page.locator("[data-role=open-palette]")).to_be_focused()


def test_the_same_message_is_said_twice(lab: Lab):
    lab.page.evaluate("""() => {
        window.said = [];
        const live = document.querySelector('[data-role=live]');
        new MutationObserver(() => window.said.push(live.textContent)).observe(live, { childList: true });
    }""")
    for _ in range(2):
        lab.page.evaluate("document.querySelector('app-frame').announce('Copied')")
        lab.frames(2)
    assert lab.page.evaluate("window.said.filter(Boolean)") == ["Copied", "Copied"]
    assert "" in lab.page.evaluate("window.said")


def test_the_first_stop_of_tab_leads_to_the_work(lab: Lab):
    for screen, place, reached in (
        ("inspect", "the text", "[data-role=text-input]"),
        ("vocabulary", "the search", "[data-role=vocabulary-search]"),
        ("library", "the search", ".library input[type=search]"),
        ("reports", "the name of the session", "[data-role=session-name]"),
    ):
        lab.go(screen)
        # Where a text has the focus from the start, Tab goes on behind it.
        lab.page.locator(".rail a").first.focus()
        lab.page.keyboard.press("Shift+Tab")
        expect(lab.page.get_by_role("button", name=f"Skip to {place}")).to_be_focused()
        lab.page.keyboard.press("Enter")
        expect(lab.page.locator(reached)).to_be_focused()


def test_single_keys_can_be_switched_off(lab: Lab):
    lab.page.locator(".rail a").first.focus()
    lab.page.keyboard.press("?")
    lab.page.get_by_role("switch", name="Single-key shortcuts").click()
    lab.page.keyboard.press("Escape")
    lab.page.locator(".rail a").first.focus()
    lab.page.keyboard.press("2")
    lab.page.keyboard.press("s")
    lab.frames()
    expect(lab.page.locator(".screen")).to_have_attribute("data-screen", "inspect")
    expect(lab.switch("Add special tokens")).to_be_checked()
    lab.page.keyboard.press("Control+k")
    lab.page.keyboard.type("single-key")
    lab.page.keyboard.press("Enter")
    lab.page.keyboard.press("s")
    expect(lab.switch("Add special tokens")).not_to_be_checked()
    lab.idle()
    assert lab.server.call("GET", "preferences")["singleKeys"] is True


def test_arrow_keys_scroll_what_scrolls(lab: Lab):
    lab.write("one two three")
    lab.page.keyboard.press("Escape")
    lab.page.keyboard.press("ArrowLeft")
    expect(lab.live).to_contain_text("token")
    lab.page.evaluate("""() => {
        const box = document.createElement('div'), wide = document.createElement('div');
        box.className = 'scrolls';
        box.tabIndex = 0;
        Object.assign(box.style, { width: '40px', height: '40px', overflow: 'auto' });
        Object.assign(wide.style, { width: '400px', height: '10px' });
        box.append(wide);
        document.querySelector('.inspect').append(box);
        box.focus();
    }""")
    before = lab.live.inner_text()
    lab.page.keyboard.press("ArrowRight")
    lab.until(lambda: lab.page.evaluate("document.querySelector('.scrolls').scrollLeft") > 0, "it scrolls")
    assert lab.live.inner_text() == before


def test_assistive_tools_learn_that_it_takes_long(lab: Lab):
    held = []
    lab.page.route("**/api/v1/tokenize", lambda route: held.append(route))
    main = lab.page.locator("main")
    lab.text.focus()
    lab.page.keyboard.insert_text("x")
    expect(main).to_have_attribute("aria-busy", "true")
    for route in held:
        route.continue_()
    lab.page.unroute("**/api/v1/tokenize")
    lab.ready()
    assert main.get_attribute("aria-busy") is None


def test_jobs_are_found_again_and_a_lost_connection_is_taken_up(lab: Lab):
    job = {"id": "9", "kind": "fetch", "title": "tiny", "state": "running", "done": 1, "total": 2}
    job |= {"unit": "bytes", "words": "", "result": None, "error": None}
    event = lambda: f"data: {json.dumps({'jobs': [job]})}\n\n"  # noqa: E731
    lab.page.route("**/api/v1/jobs", lambda route: route.fulfill(json={"jobs": [job]}))
    # The stream ends after one event: the page listens again.
    lab.page.route("**/api/v1/jobs/events", lambda route: route.fulfill(body=event(), content_type="text/event-stream"))
    lab.page.reload()
    chip = lab.page.locator("header [data-role=job]")
    expect(chip).to_contain_text("50")
    lab.go("library")
    expect(chip).to_contain_text("tiny")
    job["state"] = "cancelled"
    expect(chip).to_have_count(0)
    expect(lab.error).to_be_hidden()
