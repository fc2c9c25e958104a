"""A handout, opened from disk without a network: it steps, encodes new text as the lab does, marks, and refuses the rest."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from lab_app.services.exercises.marking import mark
from lab_app.services.exercises.options import SheetOptions
from lab_app.services.exercises.sheets import sheet_of
from lab_app.services.handouts.contents import Way
from lab_app.services.handouts.handouts import folder, handout, lesson_subject, sheet_subject, text_subject
from lab_app.services.lab import Lab as Services
from lab_app.services.lessons.lessons import LessonOptions, lesson_of
from lab_app.services.text.encode import encode
from lab_app.settings import Settings
from tests.browser.conftest import Axe, Lab
from tests.browser.opened_site import opened_site
from tests.page_engine import needs_engine

pytestmark = needs_engine


@pytest.fixture(scope="module")
def services(tmp_path_factory) -> Services:
    return Services(Settings(data_dir=tmp_path_factory.mktemp("data"), offline=True))


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator:
    """Opens a handout from disk with the network off; no page may complain or ask for another file."""
    context = browser.new_context(offline=True)
    complaints: list[str] = []

    def open_page(content: str, script: str = "") -> Page:
        file = tmp_path / "handout.html"
        file.write_text(content, encoding="utf-8")
        page = context.new_page()
        page.add_init_script(script)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: complaints.append(request.url) if request.url != file.as_uri() else None)
        page.goto(file.as_uri())
        page.locator("html[data-state=ready]").wait_for()
        return page

    yield open_page
    context.close()
    assert not complaints


def lesson_page(services: Services, name: str, id: str, text: str, way: Way = "watch") -> str:
    return handout(services, lesson_subject(services, name, id, text, LessonOptions(), way=way)).content


def text_page(services: Services, ids: list[str], text: str) -> str:
    return handout(services, text_subject(services, ids, text)).content


def ids_in(page: Page, lane: int = 0) -> list[int]:
    tokens = page.locator(".handout-tokens").nth(lane).locator("button")
    return [int(id) for id in tokens.evaluate_all("all => all.map(each => each.dataset.id)")]


def test_a_lesson_steps_and_takes_another_text(opened, services: Services):
    page = opened(lesson_page(services, "bpe-encode", "gpt2", "lower"))
    expect(page.get_by_role("heading", level=1)).to_have_text("BPE merges")
    step = page.locator(".lesson-step")
    last = len(lesson_of(services, "bpe-encode", "gpt2", "lower").ends) - 1
    expect(step).to_contain_text(str(last))
    page.get_by_role("button", name="One step on").click()
    expect(page.locator(".lesson-sentence")).to_contain_text("rank 7")
    text = "unbelievable Привет 日本"
    page.get_by_label("Text", exact=True).fill(text)
    last = len(lesson_of(services, "bpe-encode", "gpt2", text).ends) - 1
    expect(step).to_contain_text(str(last))


def test_a_task_is_marked(opened, services: Services):
    page = opened(lesson_page(services, "bpe-encode", "gpt2", "lower", "do"))
    choices = page.locator("[data-choice]")
    expect(choices).to_have_count(4)
    choices.first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".lesson-verdict")).to_have_attribute("data-kind", "wrong")
    expect(page.locator(".lesson-count")).to_contain_text("0 of")


def test_new_text_has_the_tokens_of_the_lab(opened, services: Services):
    ids = ["gpt2", "bert-base-uncased"]
    page = opened(text_page(services, ids, "start"))
    for text in ("", "Hello, world!\n\n  it's 2048", "naïve — 日本語 🙂‍↔️ \u0000"):
        page.get_by_label("Text", exact=True).fill(text)
        for lane, id in enumerate(ids):
            count = page.locator(".handout-lane h2 span").nth(lane)
            wanted = encode(services, id, text).ids.tolist()
            expect(count).to_have_text("1 token" if len(wanted) == 1 else f"{len(wanted)} tokens")
            assert ids_in(page, lane) == wanted


def test_a_token_says_its_id_and_bytes_by_the_keyboard(opened, services: Services):
    page = opened(text_page(services, ["gpt2"], "Hello world"))
    first = page.locator(".handout-tokens button").first
    first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".handout-facts")).to_have_text(
        "·world: ID 995 · Bytes 20 77 6F 72 6C 64 · Bytes of the text 5–11"
    )


def test_text_that_is_not_covered_is_refused(opened, services: Services):
    page = opened(text_page(services, ["o200k_base"], "Hello again, world"))
    expect(page.locator("footer")).to_contain_text("It refuses other characters")
    box = page.get_by_label("Text", exact=True)
    box.fill("한국어")
    expect(page.get_by_role("alert")).to_contain_text("Not covered: '한' (U+D55C)")
    assert ids_in(page) == []
    box.fill("all we learn, alone")
    expect(page.get_by_role("alert")).to_be_hidden()
    assert ids_in(page) == encode(services, "o200k_base", "all we learn, alone").ids.tolist()


def test_an_engine_that_stopped_is_started_again(opened, services: Services):
    """The first engine of the page is made to stop where it would answer."""
    stops = """
        const instantiate = WebAssembly.instantiate;
        WebAssembly.instantiate = async (...given) => {
            const { module, instance } = await instantiate(...given);
            const answer = () => {
                if (window.stops) throw new WebAssembly.RuntimeError('unreachable');
                return instance.exports.answer();
            };
            return { module, instance: { exports: { ...instance.exports, answer } } };
        };"""
    page = opened(text_page(services, ["gpt2"], "Hello"), stops)
    page.evaluate("() => { window.stops = true; }")
    box = page.get_by_label("Text", exact=True)
    box.fill("Hello world")
    expect(page.get_by_role("alert")).to_contain_text("The engine of this page stopped")
    assert ids_in(page) == []
    box.fill("Hello again")
    expect(page.get_by_role("alert")).to_be_hidden()
    assert ids_in(page) == encode(services, "gpt2", "Hello again").ids.tolist()


def check_both_themes(page: Page, axe: Axe) -> None:
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        axe.check(page)


def test_anybody_can_use_it(opened, services: Services, axe: Axe):
    check_both_themes(opened(lesson_page(services, "bpe-encode", "gpt2", "lower newest")), axe)


def test_exercises_are_marked_as_the_lab_marks_them(opened, services: Services, axe: Axe):
    options = SheetOptions(seed=7, kind="mixed", count=6)
    subject = sheet_subject(services, "gpt2", options)
    tasks = sheet_of(services, "gpt2", options).tasks
    asked = [n for n, task in enumerate(tasks) if task.choices]
    page = opened(handout(services, subject).content)
    marks = page.locator(".exercise-marks button")
    expect(marks).to_have_count(len(asked))
    right = 0
    for place, number in enumerate(asked):
        answers = [0 if n == number else None for n in range(len(tasks))]
        wanted = mark(services, "gpt2", options, answers).marks[number]
        right += bool(wanted.right)
        expect(page.locator("#exercise-question")).to_have_text(tasks[number].question)
        page.locator("exercises-view input[type=radio]").first.check()
        page.get_by_role("button", name="Check").click()
        expect(marks.nth(place)).to_have_attribute("data-state", "right" if wanted.right else "wrong")
        expect(page.locator(".lesson-verdict")).to_contain_text(wanted.reason or "")
        if place == 0:
            axe.check(page)
        page.locator("[data-role=exercise-next]").click()
    expect(page.locator(".exercise-results li")).to_have_count(len(asked))
    expect(page.locator(".exercise-results [data-state=right]")).to_have_count(right)


def test_exercises_need_nothing_that_old_browsers_lack(opened, services: Services):
    old = "delete window.WebAssembly; delete window.DecompressionStream;"
    page = opened(handout(services, sheet_subject(services, "gpt2", SheetOptions(count=2))).content, old)
    expect(page.locator(".exercise-marks button").first).to_be_visible()


@pytest.fixture
def served(browser: Browser, tmp_path: Path) -> Iterator:
    """Opens a shared folder, which a web server has."""
    with opened_site(browser, tmp_path) as open_page:

        def open_folder(files: dict[str, bytes], hash: str = "") -> Page:
            for name, content in files.items():
                (tmp_path / name).write_bytes(content)
            return open_page(f"index.html{hash}")

        yield open_folder


def test_a_shared_folder_opens_where_a_link_says(served, services: Services):
    files = folder(services, [lesson_subject(services, "bpe-encode", "gpt2", "lower", LessonOptions())])
    page = served(files, "#text=newest+low&at=2&way=watch")
    expect(page.get_by_label("Text", exact=True)).to_have_value("newest low")
    expect(page.locator(".lesson-step")).to_contain_text("2 ")
    page.get_by_role("button", name="One step on").click()
    page.wait_for_url("**/index.html#show=bpe-encode-gpt2&text=newest+low&way=watch&at=3")
    page.get_by_label("Text", exact=True).fill("a new text")
    page.wait_for_url("**&text=a+new+text&way=watch&at=0")
    page.reload()
    expect(page.get_by_label("Text", exact=True)).to_have_value("a new text")


def test_what_an_address_says_wrongly_is_ignored(served, services: Services):
    files = folder(services, [lesson_subject(services, "bpe-encode", "gpt2", "lower", LessonOptions(), at=1)])
    page = served(files, "#show=%00&way=fly&at=-3&seed=1e99")
    expect(page.get_by_label("Text", exact=True)).to_have_value("lower")
    expect(page.locator(".lesson-step")).to_contain_text("1 ")


def test_a_lesson_that_is_left_does_not_write_over_the_next_address(served, services: Services):
    """The next vocabulary waits, and the lesson that is still there says its place meanwhile."""
    lesson = lesson_subject(services, "bpe-encode", "gpt2", "lower", LessonOptions())
    page = served(folder(services, [lesson, text_subject(services, ["o200k_base"], "Hello")]), "#show=bpe-encode-gpt2")
    page.wait_for_url("**&at=0")
    page.clock.install()
    page.evaluate(
        """() => new Promise(asked => {
            const { fetch } = window;
            window.fetch = (...given) => new Promise(answer => {
                window.go = () => answer(fetch(...given));
                asked();
            });
            location.hash = '#show=o200k_base';
        })"""
    )
    page.get_by_role("button", name="One step on").click()
    page.clock.run_for(1000)
    page.evaluate("go()")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Tokens of o200k_base")
    assert page.evaluate("location.hash") == "#show=o200k_base"


def test_a_part_that_did_not_come_is_asked_for_again(served, services: Services):
    page = served(folder(services, [text_subject(services, [id], "Hello") for id in ("gpt2", "o200k_base")]))
    page.evaluate(
        """() => {
            const { fetch } = window;
            window.fetch = async () => {
                window.fetch = fetch;
                return new Response('', { status: 503 });
            };
        }"""
    )
    page.get_by_role("link", name="Tokens of GPT-2").click()
    expect(page.get_by_role("alert")).to_contain_text("status 503")
    page.evaluate("location.hash = '#'")
    page.get_by_role("link", name="Tokens of GPT-2").click()
    expect(page.locator(".handout-tokens button")).to_have_count(1)


def test_a_folder_of_several_lists_them(served, services: Services, axe: Axe):
    """Whole vocabularies: no character is refused."""
    subjects = [
        lesson_subject(services, "bpe-encode", "gpt2", "lower", LessonOptions()),
        text_subject(services, ["gpt2", "o200k_base"], "Hello"),
    ]
    page = served(folder(services, subjects))
    check_both_themes(page, axe)
    page.get_by_role("link", name="Tokens of GPT-2").click()
    text = "한국어 日本"
    page.get_by_label("Text", exact=True).fill(text)
    for lane, id in enumerate(subjects[1].tokenizers):
        wanted = encode(services, id, text).ids.tolist()
        expect(page.locator(".handout-tokens").nth(lane).locator("button")).to_have_count(len(wanted))
        assert ids_in(page, lane) == wanted
    check_both_themes(page, axe)
    page.get_by_role("link", name="All lessons and texts").click()
    page.get_by_role("link", name="BPE merges").click()
    expect(page.locator(".lesson-step")).to_be_visible()


def test_from_disk_a_shared_folder_says_what_it_needs(browser: Browser, services: Services, tmp_path: Path):
    for name, content in folder(services, [text_subject(services, ["gpt2"], "a")]).items():
        (tmp_path / name).write_bytes(content)
    page = browser.new_page()
    page.goto((tmp_path / "index.html").as_uri())
    expect(page.locator("body")).to_contain_text("from a web server only")
    page.close()


def test_learn_saves_a_handout(lab: Lab):
    lab.open("learn?lesson=bpe-encode&tokenizer=gpt2&sample=lower")
    lab.page.locator("lesson-head menu-button").last.get_by_role("button", name="Export").click()
    with lab.page.expect_download() as started:
        lab.page.get_by_role("button", name="Handout (HTML)").click()
    assert started.value.suggested_filename == "handout-bpe-encode-gpt2.html"
    expect(lab.page.locator("footer.status")).to_contain_text("handout-bpe-encode-gpt2.html is saved")


def test_learn_saves_exercises_as_a_handout(lab: Lab):
    lab.open("learn?lesson=exercises&kind=misconceptions&seed=7&tokenizer=gpt2")
    lab.page.locator("lesson-head menu-button").last.get_by_role("button", name="Export").click()
    expect(lab.page.get_by_role("button", name="Figure (PDF)")).to_be_hidden()
    with lab.page.expect_download() as started:
        lab.page.get_by_role("button", name="Handout (HTML)").click()
    assert started.value.suggested_filename == "handout-exercises-misconceptions-gpt2-7.html"


def test_a_text_is_saved_as_a_handout(lab: Lab, opened):
    lab.write("Hello world")
    lab.page.keyboard.press("Control+e")
    lab.page.keyboard.type("export handout")
    with lab.page.expect_download() as started:
        lab.page.keyboard.press("Enter")
    assert started.value.suggested_filename == "handout-bert-base-uncased-gpt2.html"
    page = opened(Path(started.value.path()).read_text(encoding="utf-8"))
    assert ids_in(page, 1) == [15496, 995]
