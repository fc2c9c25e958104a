"""Every view and state: nothing is cut off, no control lies under something else, in a small window and an ordinary one;
and axe finds nothing serious, light and dark."""

from collections.abc import Callable

import pytest

from tests.browser.conftest import Axe, Lab
from tests.browser.states import STATES
from tests.scale import few

SIZES = [(1024, 640), (1280, 720)]

# Text that its own box cuts off without saying so, and text that something around it cuts off.
CUT_OFF = """() => {
  const found = [], seen = element => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest('.visually-hidden, .cm-editor, [hidden]');
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const text = walker.currentNode, element = text.parentElement;
    if (!text.data.trim() || !seen(element) || element.closest('script, style, option')) continue;
    range.selectNodeContents(text);
    let { left, right, top, bottom } = range.getBoundingClientRect(), scrolled = false;
    for (let around = element; around && around !== document.documentElement; around = around.parentElement) {
      const { overflowX, overflowY, textOverflow, position } = getComputedStyle(around);
      if (overflowX === 'auto' || overflowX === 'scroll' || overflowY === 'auto' || overflowY === 'scroll') { scrolled = true; break; }
      if (overflowX !== 'visible') {
        const edge = around.getBoundingClientRect();
        if (textOverflow !== 'ellipsis' && (right > edge.right + 1 || left < edge.left - 1)) found.push(`${around.tagName}.${around.className} cuts off "${text.data.trim().slice(0, 40)}"`);
        if (overflowY !== 'visible' && (bottom > edge.bottom + 3 || top < edge.top - 3)) found.push(`${around.tagName}.${around.className} cuts off, at its bottom or top, "${text.data.trim().slice(0, 40)}"`);
        [left, right, top, bottom] = [Math.max(left, edge.left), Math.min(right, edge.right), Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
      }
      if (position === 'fixed') break;
    }
    if (!scrolled && right > innerWidth + 1) found.push(`the window cuts off "${text.data.trim().slice(0, 40)}"`);
  }
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth) found.push(`the page is ${page.scrollWidth} wide`);
  if (page.scrollHeight > innerHeight) found.push(`the page is ${page.scrollHeight} high`);
  return found;
}"""

# Controls that one cannot press, because another one lies on them.
COVERED = """() => {
  const controls = [...document.querySelectorAll('button, a[href], input:not([type=file]), select, textarea, [role=switch], [role=radio], [role=tab]')];
  const open = document.querySelector('dialog[open]');
  return controls.flatMap(control => {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || control.closest('.cm-editor, [inert]')) return [];
    if (open && !open.contains(control)) return [];
    const { left, top, width, height } = control.getBoundingClientRect(), x = left + width / 2, y = top + height / 2;
    if (!width || !height) return [];
    for (let around = control.parentElement; around; around = around.parentElement) {
      const box = around.getBoundingClientRect(), { overflowX, overflowY } = getComputedStyle(around);
      if ((overflowX !== 'visible' || overflowY !== 'visible') && (x < box.left || x > box.right || y < box.top || y > box.bottom)) return []; // scrolled away
    }
    const on = document.elementFromPoint(x, y);
    if (on && (control.contains(on) || on.contains(control) || on.closest('label')?.control === control)) return [];
    return [`"${(control.ariaLabel || control.textContent || control.title).trim().slice(0, 40)}" at ${Math.round(x)}, ${Math.round(y)} lies under ${on ? `${on.tagName}.${on.className}` : 'nothing'}`];
  });
}"""


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_a_state_is_whole_and_accessible(lab: Lab, axe: Axe, state: Callable[[Lab], None]):
    state(lab)
    lab.page.mouse.move(0, 0)
    lab.idle()
    axe.check_themes(lab)
    for width, height in few(SIZES):
        lab.page.set_viewport_size({"width": width, "height": height})
        lab.idle()
        assert not lab.page.evaluate(CUT_OFF), (width, height)
        assert not lab.page.evaluate(COVERED), (width, height)


def test_rows_that_wrap_are_not_cut_at_twice_the_size(lab: Lab):
    lab.page.set_viewport_size({"width": 640, "height": 360})
    for screen in ("inspect", "compare", "benchmark", "corpus"):
        lab.go(screen)
        cut = lab.page.evaluate(
            """() => [...document.querySelectorAll('.tools, .facts, text-invitation')].filter(row => row.checkVisibility()
            && row.scrollHeight > row.clientHeight + 1).map(row => row.className || row.localName)"""
        )
        assert not cut, (screen, cut)
    names = lab.page.locator(".rail a")
    names.last.scroll_into_view_if_needed()
    assert names.last.bounding_box()["y"] + names.last.bounding_box()["height"] <= 360
