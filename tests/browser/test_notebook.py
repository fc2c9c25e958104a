"""A live cell of a notebook, in a page that stands for one: it takes another text, tells it, and has the notebook's theme."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from lab_app.reports.live import LivePage
from lab_app.services.handouts.handouts import handout, lesson_subject, text_subject
from lab_app.services.lab import Lab as Services
from lab_app.services.lessons.lessons import LessonOptions
from lab_app.services.text.encode import encode
from lab_app.settings import Settings
from tests.page_engine import needs_engine

pytestmark = needs_engine
NOTEBOOK = '<!doctype html><body data-jp-theme-light="false"><div id="cell"></div>'
DRAW = """([page, text]) => {
    const values = { page, text, label: 'Tokens', height: 480 };
    const listeners = new Map();
    window.model = {
        get: name => values[name],
        set: (name, value) => { values[name] = value; },
        save_changes: () => { window.saved = { ...values }; },
        on: (name, listener) => listeners.set(name, listener),
        off: name => listeners.delete(name),
    };
    window.fromPython = text => { values.text = text; listeners.get('change:text')(); };
    window.end = window.cell.render({ model, el: document.querySelector('#cell') });
    window.listening = () => listeners.size;
}"""


@pytest.fixture(scope="module")
def services(tmp_path_factory) -> Services:
    return Services(Settings(data_dir=tmp_path_factory.mktemp("data"), offline=True))


@pytest.fixture
def notebook(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(offline=True, color_scheme="null")  # the emulated one would hide that of the frame
    complaints: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.set_content(NOTEBOOK)
    module = str(LivePage._esm).replace("export default", "document.body.dataset.state = 'ready'; window.cell =")
    page.add_script_tag(content=module, type="module")
    page.locator("body[data-state=ready]").wait_for(state="attached")
    yield page
    context.close()
    assert not complaints


def test_a_cell_takes_another_text_from_its_reader_and_from_python(notebook: Page, services: Services):
    notebook.evaluate(DRAW, [handout(services, text_subject(services, ["gpt2"], "low")).content, "low"])
    cell = notebook.frame_locator("iframe")
    tokens = cell.locator(".handout-tokens button")
    expect(tokens).to_have_count(1)
    field = cell.get_by_label("Text", exact=True)
    field.fill("naïve 日本")
    wanted = encode(services, "gpt2", "naïve 日本").ids.tolist()
    expect(tokens).to_have_count(len(wanted))
    assert notebook.evaluate("saved.text") == "naïve 日本"
    notebook.evaluate("fromPython('lower newest')")
    expect(field).to_have_value("lower newest")
    wanted = encode(services, "gpt2", "lower newest").ids.tolist()
    expect(tokens).to_have_count(len(wanted))
    assert [int(each) for each in tokens.evaluate_all("all => all.map(each => each.dataset.id)")] == wanted


def test_a_lesson_steps_in_a_cell(notebook: Page, services: Services):
    notebook.evaluate(
        DRAW,
        [handout(services, lesson_subject(services, "bpe-encode", "gpt2", "lower", LessonOptions())).content, "lower"],
    )
    cell = notebook.frame_locator("iframe")
    cell.get_by_role("button", name="One step on").click()
    expect(cell.locator(".lesson-sentence")).to_contain_text("rank 7")


def test_a_text_that_was_set_before_the_page_is_ready_is_shown(notebook: Page, services: Services):
    notebook.evaluate(DRAW, [handout(services, text_subject(services, ["gpt2"], "low")).content, "lower newest"])
    cell = notebook.frame_locator("iframe")
    expect(cell.get_by_label("Text", exact=True)).to_have_value("lower newest")
    wanted = encode(services, "gpt2", "lower newest").ids.tolist()
    expect(cell.locator(".handout-tokens button")).to_have_count(len(wanted))


def test_only_the_field_of_the_text_tells_it(notebook: Page, services: Services):
    """A field has other ends of lines than the text that it began with."""
    text = "low\r\nlower"
    notebook.evaluate(
        DRAW, [handout(services, lesson_subject(services, "bpe-encode", "gpt2", text, LessonOptions())).content, text]
    )
    step = notebook.frame_locator("iframe").get_by_role("slider", name="Step")
    step.focus()
    notebook.keyboard.press("ArrowRight")
    expect(step).to_have_js_property("value", "1")
    assert notebook.evaluate("[window.saved ?? null, model.get('text')]") == [None, text]


def test_a_conversation_is_not_changed_from_python(notebook: Page, services: Services):
    subject = lesson_subject(services, "chat-template", "o200k_harmony", "Hi", LessonOptions())
    notebook.evaluate(DRAW, [handout(services, subject).content, "another text"])
    cell = notebook.frame_locator("iframe")
    cell.locator("html[data-state=ready]").wait_for()
    cell.get_by_role("button", name="One step on").click()
    expect(cell.locator("textarea")).to_be_hidden()
    expect(cell.locator("textarea")).to_have_value(subject.text)
    assert notebook.evaluate("window.saved ?? null") is None


def test_a_cell_has_the_theme_of_the_notebook_and_ends_with_it(notebook: Page, services: Services):
    notebook.evaluate(DRAW, [handout(services, text_subject(services, ["gpt2"], "low")).content, "low"])
    page = notebook.frame_locator("iframe").locator("html")
    expect(page).to_have_attribute("data-theme", "dark")
    notebook.evaluate("document.body.dataset.jpThemeLight = 'true'")
    expect(page).to_have_attribute("data-theme", "light")
    notebook.evaluate("end()")
    assert notebook.evaluate("listening()") == 0
