"""Dialogs close and grids name their columns. The life of elements, their events and questions: `tests/js/elements.test.js`."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Lab


def test_a_dialog_closes(lab: Lab):
    lab.page.evaluate(
        """async () => {
            const load = name => import(new URL(`js/ui/${name}.js`, document.baseURI).href);
            const [{ h }, { dialog }] = await Promise.all(['dom', 'dialog'].map(load));
            window.made = dialog({ label: 'A question', class: 'pieces-dialog' }, h('p', {}, 'What is in it.'));
            document.body.append(made);
        }""",
    )
    shown = lab.page.get_by_role("dialog", name="A question")
    for close in (
        lambda: shown.get_by_role("button", name="Close").click(),
        lambda: lab.page.keyboard.press("Escape"),
        lambda: lab.page.mouse.click(3, 3),
    ):
        lab.page.evaluate("made.showModal()")
        expect(shown).to_be_visible()
        shown.get_by_text("What is in it.").click()
        expect(shown).to_be_visible()
        close()
        expect(shown).to_be_hidden()


def test_grids_name_their_columns(lab: Lab):
    lab.go("vocabulary")
    grid = lab.page.get_by_role("grid", name="Tokens")
    header = grid.get_by_role("columnheader", name="length")
    expect(header).to_have_attribute("aria-sort", "none")
    order = header.get_by_role("button")
    order.focus()
    lab.page.keyboard.press("Enter")
    lab.ready()
    expect(header).to_have_attribute("aria-sort", re.compile("^(ascending|descending)$"))
    expect(order).to_be_focused()
    assert grid.get_attribute("aria-rowcount") == str(50257 + 1)
    assert grid.get_by_role("row").nth(1).get_attribute("aria-rowindex") == "2"
    lab.go("inspect")
    lab.press(lab.radio("Table"))
    expect(lab.page.get_by_role("grid", name="Tokens").get_by_role("columnheader")).to_have_count(7)
    lab.go("compare")
    lab.press(lab.radio("Table"))
    heads = lab.page.get_by_role("grid").get_by_role("columnheader")
    expect(heads.first).to_have_text("bytes")
    expect(heads).to_have_count(4)
