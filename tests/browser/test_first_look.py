"""What is in the window of a long text is drawn before the whole is encoded: what is shown is right, or not there yet.

How soon: `make bench-ui`.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Request, Route, expect

from tests.browser.conftest import Lab
from tests.browser.test_long_texts import assert_exact
from tests.scale import few

LINE = "The unaffordable naïve café served 2048 guests; 東京都 and नमस्ते 👩‍🔬, don't. "
LONG = "".join(f"{n} {LINE * (1 + n % 6)}\n" for n in range(150))
ONE_LINE = LONG.replace("\n", " ")
SAMPLE = 5000  # characters: the text that the lab begins with is shorter
WHOLE, EXCERPT = "**/api/v1/documents", "**/api/v1/documents/excerpt"


class Held:
    """Requests that are kept from the backend."""

    def __init__(self, lab: Lab, path: str) -> None:
        self._lab = lab
        self._open = False
        self.routes: list[Route] = []
        lab.page.route(path, lambda route: self._take(route))

    def _take(self, route: Route) -> None:
        if self._open:
            route.continue_()
        else:
            self.routes.append(route)

    def wait(self, number: int = 1) -> None:
        self._lab.until(lambda: len(self.routes) >= number, f"{number} requests come")

    def let_later_ones_go(self) -> None:
        self._open = True

    def let_go(self) -> None:
        self.let_later_ones_go()
        for route in self.routes:
            route.continue_()


@contextmanager
def held(lab: Lab, path: str) -> Iterator[Held]:
    yield Held(lab, path)
    lab.ready()
    expect(lab.error).to_be_hidden()


def paste(lab: Lab, text: str, *, caret: int | None = None) -> None:
    """As a paste does, the caret behind it, or where it is said to be; nobody waits for what comes."""
    if len(lab.current_text) < SAMPLE:
        lab.set_text("")  # whatever is drawn then is of the text that is pasted
    lab.page.evaluate(
        """([text, caret]) => {
            const { view } = document.querySelector('token-text');
            view.focus();
            view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text },
                selection: { anchor: caret ?? text.length }, scrollIntoView: true, userEvent: 'input.paste' });
        }""",
        [text, caret],
    )


def drawn_early(lab: Lab, tokenizer: str) -> list[dict]:
    """Tokens of the window, before the whole is there."""
    return lab.until(lambda: lab.tokens(tokenizer), "something is drawn before the whole comes")


def tuple_of(token: dict) -> tuple[int, int, int]:
    return token["id"], token["start"], token["end"]


def beyond(some: list[dict], others: list[dict]) -> set[tuple[int, int, int]]:
    """The tokens of either list that are before or after all of the other one."""
    first = max(some[0]["start"], others[0]["start"])
    last = min(some[-1]["end"], others[-1]["end"])
    return {tuple_of(token) for token in [*some, *others] if token["start"] < first or token["end"] > last}


def looks(lab: Lab, tokenizer: str) -> list[tuple[int, int, str, str]]:
    """What is drawn of a tokenizer: start, id, shade and boundary of each block."""
    return [(piece["start"], piece["id"], piece["shade"], piece["boundary"]) for piece in lab.pieces(tokenizer)]


def counts(lab: Lab) -> set[str]:
    return {each.strip() for each in lab.page.locator("[data-role=count]").all_inner_texts()}


@pytest.mark.parametrize(
    ("screen", "text"),
    few(
        [
            pytest.param("inspect", ONE_LINE, id="inspect-one line"),
            pytest.param("compare", LONG, id="compare-lines"),
            pytest.param("inspect", LONG, id="inspect-lines"),
            pytest.param("compare", ONE_LINE, id="compare-one line"),
        ],
        2,
    ),
)
def test_the_window_comes_first_and_is_that_of_the_whole(lab: Lab, screen: str, text: str):
    lab.go(screen)
    for caret in (0, None):  # at the start, at the end
        lab.set_text("")
        window_comes_first(lab, ["gpt2", "bert-base-uncased"][: 1 + (screen == "compare")], caret, text)


def window_comes_first(lab: Lab, tokenizers: list[str], caret: int | None, text: str) -> None:
    with held(lab, WHOLE) as whole:
        paste(lab, text, caret=caret)
        for tokenizer in tokenizers:
            assert len(drawn_early(lab, tokenizer)) > 100
        assert_exact(lab, *tokenizers)
        assert counts(lab) == {"–"}, "nobody knows how many there are"
        assert lab.page.locator(".text-range.dropped").count() == 0, (
            "text of which nothing is known is not dropped text"
        )
        early = {tokenizer: lab.tokens(tokenizer) for tokenizer in tokenizers}
        whole.wait()
        whole.let_go()
    for tokenizer in tokenizers:
        # The legend comes with the whole and may take a row or two from the window.
        now = lab.tokens(tokenizer)
        assert set(map(tuple_of, early[tokenizer])) ^ set(map(tuple_of, now)) <= beyond(now, early[tokenizer])
        assert lab.count(tokenizer) >= len(lab.expected(tokenizer, lab.current_text))


@pytest.mark.parametrize("caret", [0, None], ids=["at the start", "at the end"])
def test_nothing_changes_its_colour_when_the_whole_comes(lab: Lab, caret: int | None):
    """Grey where all agree, coloured where they differ, two shades by turns; the shapes of boundaries as well."""
    lab.go("compare")
    tokenizers = ["gpt2", "bert-base-uncased"]
    with held(lab, WHOLE) as whole:
        paste(lab, LONG, caret=caret)
        drawn_early(lab, "gpt2")
        early = {tokenizer: looks(lab, tokenizer) for tokenizer in tokenizers}
        whole.wait()
        whole.let_go()
    for tokenizer in tokenizers:
        # The legend comes with the whole and may take rows from the window.
        before, now = early[tokenizer], looks(lab, tokenizer)
        first, last = max(before[0], now[0])[0], min(before[-1], now[-1])[0]
        before, now = ([look for look in each if first <= look[0] <= last] for each in (before, now))
        assert now == before and len(now) > 50
    assert {shade[0] for each in early.values() for *_, shade, _ in each} == {"g", "d"}


def test_typing_goes_on_while_the_rest_is_under_way(lab: Lab):
    with held(lab, WHOLE) as whole:
        paste(lab, LONG, caret=0)
        early = drawn_early(lab, "gpt2")
        lab.page.keyboard.insert_text("Xy ")
        lab.frames()
        assert lab.tokens("gpt2")[:20] == early[:20], "old tokens move along"
        whole.wait()
        whole.let_go()
    assert lab.current_text.startswith("Xy 0 The")
    assert_exact(lab, "gpt2")
    assert lab.count("gpt2") == len(lab.expected("gpt2", lab.current_text))


def test_another_text_is_not_kept_waiting_by_the_one_before(lab: Lab):
    other = "Another text, 12345 times. " * 8000
    whole = Held(lab, WHOLE)
    paste(lab, LONG * 4, caret=0)
    drawn_early(lab, "gpt2")
    whole.wait()
    whole.let_later_ones_go()  # the first one is never answered
    paste(lab, other, caret=0)
    lab.ready()
    expect(lab.error).to_be_hidden()
    assert lab.current_text == other
    assert_exact(lab, "gpt2")
    assert lab.count("gpt2") == len(lab.expected("gpt2", other))


def test_stopped_before_the_rest_came(lab: Lab):
    whole = Held(lab, WHOLE)
    paste(lab, LONG, caret=0)
    drawn_early(lab, "gpt2")
    whole.wait()
    lab.page.evaluate("document.activeElement.blur()")  # in the text, Ctrl+Enter is the editor's
    lab.page.keyboard.press("Escape")
    lab.ready()
    expect(lab.page.locator("[data-role=status]").or_(lab.page.locator("footer")).first).to_contain_text("Stopped")
    assert counts(lab) == {"–"}
    assert_exact(lab, "gpt2")
    whole.let_later_ones_go()
    lab.page.keyboard.press("Control+Enter")
    lab.ready()
    assert lab.current_text == LONG
    assert lab.count("gpt2") == len(lab.expected("gpt2", LONG))


def test_an_error_of_the_whole_takes_the_tokens_away(lab: Lab):
    lab.tolerated = ("status of 422",)
    failed = '{"error": {"code": "encode_failed", "message": "It went wrong.", "hint": ""}}'
    lab.page.route(WHOLE, lambda route: route.fulfill(status=422, body=failed, content_type="application/json"))
    paste(lab, LONG, caret=0)
    expect(lab.error).to_contain_text("It went wrong.")
    lab.ready()
    assert lab.tokens("gpt2") == []
    assert counts(lab) == {"–"}
    lab.page.unroute(WHOLE)
    paste(lab, LONG + "x", caret=0)
    lab.ready()
    assert_exact(lab, "gpt2")


def test_what_cannot_be_told_early_comes_with_the_whole(lab: Lab):
    lab.tolerated = ("status of 500",)
    failed = '{"error": {"code": "internal", "message": "no", "hint": ""}}'
    lab.page.route(EXCERPT, lambda route: route.fulfill(status=500, body=failed, content_type="application/json"))
    paste(lab, LONG, caret=0)
    lab.ready()
    expect(lab.error).to_be_hidden()
    assert_exact(lab, "gpt2")


def test_a_window_that_comes_late_is_not_drawn(lab: Lab):
    excerpt = Held(lab, EXCERPT)
    paste(lab, LONG, caret=0)
    excerpt.wait()
    lab.until(lambda: "–" not in counts(lab), "the whole is counted")
    count = lab.count("gpt2")
    lab.page.keyboard.insert_text("Xy ")
    excerpt.let_go()
    lab.ready()
    assert lab.count("gpt2") > count
    assert_exact(lab, "gpt2")
    assert lab.count("gpt2") == len(lab.expected("gpt2", lab.current_text))


def test_where_one_scrolls_to_has_tokens_before_the_rest(lab: Lab):
    with held(lab, WHOLE) as whole:
        paste(lab, LONG, caret=0)
        first = drawn_early(lab, "gpt2")
        lab.page.evaluate("document.querySelector('token-text').view.scrollDOM.scrollTop = 6000")
        lab.until(
            lambda: (found := lab.tokens("gpt2")) and found[0]["start"] > first[-1]["end"], "the new window is drawn"
        )
        assert len(lab.tokens("gpt2")) > 100
        assert_exact(lab, "gpt2")
        whole.wait()
        whole.let_go()
    assert_exact(lab, "gpt2")


def test_where_one_scrolls_to_after_an_edit_is_found_in_the_text_that_was_sent(lab: Lab):
    asked: list[Request] = []
    lab.page.on("request", lambda request: asked.append(request) if request.url.endswith("/excerpt") else None)
    with held(lab, WHOLE) as whole:
        paste(lab, LONG, caret=0)
        drawn_early(lab, "gpt2")
        whole.wait()
        lab.page.evaluate(
            """insert => document.querySelector('token-text').view.dispatch({ changes: { from: 0, insert } })""",
            "more text\n" * 6000,
        )
        lab.frames()
        lab.page.evaluate(
            """() => { const { scrollDOM } = document.querySelector('token-text').view;
                scrollDOM.scrollTop = scrollDOM.scrollHeight; }"""
        )
        end = len(LONG.encode())
        lab.until(
            lambda: (found := lab.tokens("gpt2")) and found[-1]["end"] >= end - 2,
            "the end of the text that was sent is drawn",
        )
        assert all(json.loads(request.post_data or "")["text"] for request in asked), "an empty part was asked for"
        whole.let_go()
    assert_exact(lab, "gpt2")


def test_another_setting_does_not_wait_for_a_whole_that_is_not_wanted_any_more(lab: Lab):
    text = LONG[:SAMPLE]
    whole = Held(lab, WHOLE)
    lab.set_text("")
    lab.page.evaluate(
        """insert => document.querySelector('token-text').view.dispatch({ changes: { from: 0, insert } })""", text
    )
    whole.wait()
    whole.let_later_ones_go()  # the first one is never answered
    lab.page.locator("tokenizer-chips [data-tokenizer=bert-base-uncased] .pick").click()
    lab.ready()
    expect(lab.error).to_be_hidden()
    assert_exact(lab, "bert-base-uncased")
    assert lab.count("bert-base-uncased") >= len(lab.expected("bert-base-uncased", text))


@pytest.mark.parametrize("stopped", [False, True])
def test_tokens_of_another_tokenizer_are_taken_away(lab: Lab, stopped: bool):
    """Where the first look cannot say what is in the window."""
    paste(lab, LONG, caret=0)
    lab.ready()
    whole, early = Held(lab, WHOLE), Held(lab, EXCERPT)
    lab.page.locator("tokenizer-chips [data-tokenizer=bert-base-uncased] .pick").click()
    if stopped:
        early.wait()
        lab.page.keyboard.press("Escape")
    else:
        whole.wait()
    lab.until(lambda: not lab.tokens(), "the old tokens are taken away")
    assert counts(lab) == {"–"}
    for each in (early, whole):
        each.let_later_ones_go()
    if stopped:
        lab.page.keyboard.press("Control+Enter")
    else:
        whole.let_go()
    lab.ready()
    assert_exact(lab, "bert-base-uncased")


def test_pills_of_another_tokenizer_are_taken_away(lab: Lab):
    chip = "tokenizer-chips [data-tokenizer={}] .pick"
    lab.page.locator(chip.format("bert-base-uncased")).click()
    paste(lab, LONG, caret=0)
    lab.ready()
    pills = lab.page.locator(".edge-pills .pill")
    expect(pills).to_have_count(2)
    with held(lab, WHOLE) as whole:
        lab.page.locator(chip.format("gpt2")).click()
        drawn_early(lab, "gpt2")
        whole.wait()
        expect(pills).to_have_count(0, timeout=5000)
        whole.let_go()
    assert_exact(lab, "gpt2")


def test_a_key_soon_after_a_paste_keeps_nothing_of_the_old_text(lab: Lab):
    lab.go("compare")
    lab.set_text(LONG)
    rows = lab.page.locator("divergence-list [data-row]")
    expect(rows.first).to_be_visible()
    with held(lab, WHOLE) as whole:
        lab.page.evaluate(
            """text => {
                const { view } = document.querySelector('token-text');
                view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: 'input.paste' });
                setTimeout(() => view.dispatch({ changes: { from: 0, insert: 'x' } }), 60);
            }""",
            LONG * 4,
        )
        whole.wait()
        expect(rows).to_have_count(0, timeout=5000)
        whole.let_go()
    expect(rows.first).to_be_visible()
    assert_exact(lab, "gpt2", "bert-base-uncased")


def test_another_tokenizer_says_nothing_of_the_one_before(lab: Lab):
    paste(lab, LONG, caret=0)
    lab.ready()
    with held(lab, WHOLE) as whole:
        lab.page.locator("tokenizer-chips [data-tokenizer=bert-base-uncased] .pick").click()
        drawn_early(lab, "bert-base-uncased")
        assert counts(lab) == {"–"}
        whole.wait()
        whole.let_go()
    assert_exact(lab, "bert-base-uncased")
