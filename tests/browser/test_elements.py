"""What all elements of the page are made from: their life, their events, children by key, dialogs and questions."""

import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import Lab

MODULES = """
    const load = name => import(new URL(`js/ui/${name}.js`, document.baseURI).href);
    const [{ LabElement }, { h, update }, { dialog }, { confirmButton }] =
        await Promise.all(['element', 'dom', 'dialog', 'confirm_button'].map(load));
"""


def run(lab: Lab, body: str) -> Any:
    """Runs JavaScript in the page that may use what `js/ui` exports."""
    return lab.page.evaluate(f"async () => {{ {MODULES} {body} }}")


PROBE = """
    const log = [];
    class Probe extends LabElement {
        render() { log.push('render'); }
        connected(life) { log.push('connected'); life.addEventListener('abort', () => log.push('ended')); }
    }
    customElements.define('probe-' + Math.random().toString(36).slice(2), Probe);
    const probe = new Probe();
    document.body.append(probe);
"""


def test_an_element_lives_while_it_is_in_the_page(lab: Lab):
    for act, expected in (
        ("", ["render", "connected"]),
        ("probe.remove();", ["render", "connected", "ended"]),
        ("document.querySelector('main').append(probe);", ["render", "connected"]),
        (
            "probe.remove(); await null; await null; document.body.append(probe);",
            ["render", "connected", "ended", "connected"],
        ),
        ("probe.destroy();", ["render", "connected", "ended"]),
        ("probe.destroy(); probe.destroy();", ["render", "connected", "ended"]),
    ):
        assert run(lab, f"{PROBE} {act} await null; await null; return log;") == expected, act


def test_an_event_stays_with_its_element(lab: Lab):
    heard = run(
        lab,
        f"""{PROBE}
        const heard = [];
        document.body.addEventListener('found', () => heard.push('body'));
        probe.addEventListener('found', event => heard.push(event.detail));
        probe.emit('found', 3);
        return heard;""",
    )
    assert heard == [3]


def test_children_keep_their_element_and_focus_by_key(lab: Lab):
    found = run(
        lab,
        """const list = h('div');
        document.body.append(list);
        const draw = names => update(list, names, String, name => h('button', {}, name),
            (button, name) => { button.title = names.length + name; });
        draw(['a', 'b', 'c']);
        const b = list.children[1];
        b.focus();
        draw(['c', 'b', 'd']);
        return [[...list.children].map(child => child.textContent + child.title), list.children[1] === b,
            document.activeElement === b];""",
    )
    assert found == [["c3c", "b3b", "d3d"], True, True]


def test_a_question_is_asked_before_what_cannot_be_undone(lab: Lab):
    run(
        lab,
        """window.deleted = 0;
        const button = confirmButton({ label: 'Delete', name: 'my tokenizer', handler: () => { window.deleted++; } });
        document.querySelector('main').prepend(button);""",
    )
    button = lab.page.get_by_role("button", name="Delete my tokenizer")
    button.click()
    expect(lab.page.get_by_role("button", name="Confirm delete my tokenizer")).to_be_focused()
    lab.page.keyboard.press("Tab")
    expect(button).to_be_visible()
    button.click()
    lab.page.get_by_role("button", name="Confirm delete").click()
    assert lab.page.evaluate("deleted") == 1


def test_a_dialog_closes(lab: Lab):
    run(
        lab,
        """const content = h('p', {}, 'What is in it.');
        window.made = dialog({ label: 'A question', class: 'pieces-dialog' }, content);
        document.body.append(made);""",
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
