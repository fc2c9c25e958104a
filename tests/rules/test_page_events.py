"""Events of the page's elements: no name that the browser uses itself, and no bubbling without a reason.

An element that reports `copy` cannot be told from the browser's own `copy` by who listens around it.
"""

import re

from tests.rules.sources import at, files, matches

MODULES = files("lab_ui/js", ".js")

# Events that an element can receive from the browser: HTML, UI Events, Pointer Events, Clipboard, Animations, Media.
NATIVE_NAMES = """
    abort animationcancel animationend animationiteration animationstart auxclick beforeinput beforematch beforetoggle
    blur cancel canplay canplaythrough change click close command compositionend compositionstart compositionupdate
    contentvisibilityautostatechange contextlost contextmenu contextrestored copy cuechange cut dblclick drag dragend
    dragenter dragleave dragover dragstart drop durationchange emptied ended error focus focusin focusout formdata
    fullscreenchange fullscreenerror gotpointercapture input invalid keydown keypress keyup load loadeddata
    loadedmetadata loadstart lostpointercapture mousedown mouseenter mouseleave mousemove mouseout mouseover mouseup
    paste pause play playing pointercancel pointerdown pointerenter pointerleave pointermove pointerout pointerover
    pointerrawupdate pointerup progress ratechange reset resize scroll scrollend securitypolicyviolation seeked seeking
    select selectionchange selectstart slotchange stalled submit suspend timeupdate toggle touchcancel touchend
    touchmove touchstart transitioncancel transitionend transitionrun transitionstart volumechange waiting wheel
"""
NATIVE = set(NATIVE_NAMES.split())


def test_elements_report_by_names_of_their_own():
    found = []
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        if "customElements.define" not in text and "bubbles" not in text:
            continue  # a store in memory is no element: nothing of the browser reaches who listens to it
        for match in re.finditer(r"(?:\bemit|new CustomEvent)\(\s*['\"`](\w+)", text):
            if match[1] in NATIVE:
                found.append(f"{at(path, text, match.start())} {match[1]}")
    assert not found, f"the browser has events of these names; take another, such as `valuechange`: {found}"


def test_an_event_bubbles_for_a_reason():
    found = []
    for place, match in matches(MODULES, r"(.*\n){0,2}.*bubbles: true"):
        if "// bubbles:" not in match[0]:
            found.append(place)
    assert not found, f"use LabElement.emit, or say above why it bubbles: `// bubbles: the shell ...`: {found}"


def test_elements_share_one_base():
    found = [place for place, _ in matches(MODULES, r"class \w+ extends HTMLElement")]
    allowed = (
        "lab_ui/js/ui/element.js:",
        "lab_ui/js/editor/token_text.js:",
    )  # the base, and the editor with its own end
    assert all(place.startswith(allowed) for place in found), f"extend LabElement of ui/element.js: {found}"
