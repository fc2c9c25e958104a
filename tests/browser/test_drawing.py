"""What is drawn from what is known already is what is drawn when every stretch is read on its own.

The fast way keeps where the text of a line is, and reads plain ASCII a row at a time. How fast: `make bench-ui`.
"""

import random

import pytest

from tests.browser.conftest import Lab
from tests.generators import texts
from tests.scale import scaled

WORDS = [
    "It was the best of times, ",
    "def scroll(self, by=42): return self.top + by  ",
    "naïve café; ",
    "e\u0301 cafe\u0301s ",
    "東京都は日本の首都です。",
    "नमस्ते दुनिया, ",
    "مرحبا بالعالم 123, (ok) ",
    "שלום 42 abc, ",
    "👍🏽 👩‍🔬 1️⃣ ",
    "\tcolumn\tand\tcolumn ",
    "\u200b\u202ex\u202c\u00ad ",
    "ffi fl => != www ",
    "\u3000wide\u3000 ",
    "x" * 70 + " ",
]
ACTS = ["type", "type", "delete", "paste", "scroll", "line", "join"]


def line(chance: random.Random) -> str:
    return "".join(chance.choice(WORDS) for _ in range(chance.randrange(0, 14)))


def act(lab: Lab, chance: random.Random) -> None:
    """Something a person would do, in the part that is looked at."""
    kind = chance.choice(ACTS)
    insert = {"type": chance.choice("ae 1,ßя語م"), "paste": line(chance)[:300], "line": "\n"}.get(kind, "")
    lab.page.evaluate(
        """([kind, insert, where, by]) => {
            const text = document.querySelector('token-text'), { view } = text, { doc } = view.state;
            if (kind === 'scroll') { view.scrollDOM.scrollTop += by; return; }
            const whole = pos => (/[\\udc00-\\udfff]/.test(view.state.sliceDoc(pos, pos + 1)) ? pos - 1 : pos);
            const { from, to } = text.shown, at = whole(Math.round(from + where * (to - from))), line = doc.lineAt(at);
            const gone = kind === 'delete' ? { from: at, to: whole(Math.min(doc.length, at + 7)) } : kind === 'join' && line.to < doc.length ? { from: line.to, to: line.to + 1 } : { from: at, to: at };
            view.dispatch({ changes: { ...gone, insert }, userEvent: 'input' });
        }""",
        [kind, insert, chance.random(), chance.choice([-900, -200, 150, 700])],
    )


def drawn(lab: Lab) -> list[tuple]:
    return [
        (p["token"], p["part"], p["className"], p["label"], p["box"]["x"], p["box"]["y"], p["box"]["width"])
        for p in lab.pieces()
    ]


def assert_as_plain(lab: Lab, what: object) -> None:
    lab.ready()
    lab.page.evaluate("document.querySelector('token-text').drawn()")
    fast = drawn(lab)
    lab.page.evaluate("document.querySelector('token-text').drawPlainly()")
    plain = drawn(lab)
    assert [one[:3] for one in fast] == [one[:3] for one in plain], what
    for one, other in zip(fast, plain, strict=True):
        assert one[4:] == pytest.approx(other[4:], abs=1.01), (what, one, other)
    same = sum(one == other for one, other in zip(fast, plain, strict=True))
    assert same >= 0.98 * len(fast) - 2, "a place may be rounded to the next pixel, hardly ever"


@pytest.mark.parametrize(
    ("screen", "shape"),
    [("inspect", "lines"), ("inspect", "one line"), ("compare", "lines"), ("compare", "one line")],
)
def test_drawn_from_what_is_known_as_from_nothing(lab: Lab, screen: str, shape: str):
    chance = random.Random(f"{screen} {shape}")
    lab.go(screen)
    text = "\n".join(line(chance) for _ in range(60))
    lab.set_text(text if shape == "lines" else text.replace("\n", " ") * 2)
    assert_as_plain(lab, "at first")
    for n in range(scaled(6)):
        act(lab, chance)
        if n % 3 == 2:
            assert_as_plain(lab, n)


def test_texts_of_all_kinds_one_after_the_other(lab: Lab):
    for n, text in enumerate(texts(12, seed=8)):
        lab.set_text("".join(c for c in text if not "\ud800" <= c <= "\udfff")[:2000])
        assert_as_plain(lab, n)


def test_another_width_moves_everything(lab: Lab):
    lab.set_text("\n".join(WORDS[n % 7] * 6 for n in range(30)))
    for width in (900, 1280):
        lab.page.set_viewport_size({"width": width, "height": 800})
        lab.idle()
        assert_as_plain(lab, width)


def test_rows_of_another_height_move_everything(lab: Lab):
    """Ids, lanes of changes, marks and text sizes change the height of a row; the text of a line stays where it was."""
    lab.page.locator("tokenizer-chips [data-tokenizer='bert-base-uncased'] .pick").click()
    lab.set_text(" ".join(WORDS) * 3 + "\n" + "plain words of a line that is wrapped " * 12)
    for keys in ("i", "m", "i", "+", "m", "-"):
        lab.page.locator(".rail a").first.focus()
        lab.page.keyboard.press(keys)
        assert_as_plain(lab, keys)


def test_lanes_that_come_and_go_move_everything(lab: Lab):
    lab.go("compare")
    lab.set_text("plain words of a line that is wrapped, 東京都, مرحبا " * 20)
    lab.page.locator(".rail a").first.focus()
    for _ in range(2):
        lab.page.keyboard.press("a")
        assert_as_plain(lab, "a")


def test_another_size_of_text_moves_everything(lab: Lab):
    lab.set_text("\n".join(WORDS[n % 7] * 6 for n in range(30)))
    lab.page.keyboard.press("Escape")
    for key in "++-":
        lab.page.keyboard.press(key)
        lab.idle()
        assert_as_plain(lab, key)
