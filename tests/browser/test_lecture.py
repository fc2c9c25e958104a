"""A lecture: lessons for a room with a clicker, votes of the class, and playlists that are made, shared and walked through."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Axe, Lab
from tests.scale import few

PLAN = "Tokenization in 45 minutes"
SIZES = [(1280, 720), (1920, 1080)]


def open_learn(lab: Lab, **query: str) -> None:
    address = "&".join(f"{name}={quote(value)}" for name, value in query.items())
    lab.page.goto(lab.page.url.partition("#")[0] + f"#/learn?{address}")
    lab.ready()


def present(lab: Lab, **query: str) -> None:
    open_learn(lab, present="1", **query)
    expect(lab.page.locator(".presenter")).to_be_visible()


def press(lab: Lab, *keys: str) -> None:
    for key in keys:
        lab.page.keyboard.press(key)
        lab.ready()


def place(lab: Lab) -> str:
    """The part and the step, as the foot says them."""
    return lab.page.locator("presenter-foot .key-button").last.inner_text()


def task(lab: Lab):
    return lab.page.locator(".presenter .lesson-task:visible").first


CUT_OFF = """() => [...document.querySelectorAll('.presenter :is(.lecture-head, .lecture-body, .lesson-page, .lesson-foot, vote-bars)')]
    .filter(part => part.checkVisibility() && (part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1))
    .map(part => part.className || part.localName)"""
LINES = """() => [...document.querySelectorAll('.presenter :is(.lesson-task, .lesson-sentence, .lesson-verdict)')]
    .filter(part => part.checkVisibility())
    .map(part => ({ size: parseFloat(getComputedStyle(part).fontSize),
                    lines: Math.round(part.getBoundingClientRect().height / parseFloat(getComputedStyle(part).lineHeight)) }))"""


@pytest.mark.parametrize("size", few(SIZES))
def test_the_whole_plan_is_walked_with_a_clicker_and_nothing_is_cut_off(lab: Lab, size: tuple[int, int]):
    lab.page.set_viewport_size({"width": size[0], "height": size[1]})
    present(lab, playlist=PLAN)
    parts = []
    for _ in range(200):
        parts.append(place(lab).partition(" · ")[0])
        assert lab.page.evaluate(CUT_OFF) == [], parts[-1]
        lines = lab.page.evaluate(LINES)
        assert sum(line["lines"] for line in lines) <= 6
        assert all(line["size"] >= 28 * size[1] / 720 for line in lines if line["size"])
        if lab.page.get_by_text("End of the list").is_visible():
            break
        press(lab, "PageDown")
    assert list(dict.fromkeys(parts)) == [f"Part {n} of 8" for n in range(1, 9)]
    press(lab, "Escape")
    expect(lab.page.locator(".presenter")).to_have_count(0)
    assert f"playlist={quote(PLAN).replace('%20', '+')}" in lab.page.url


def test_an_answer_is_covered_until_the_key_and_votes_are_counted(lab: Lab):
    present(lab, lesson="bpe-encode", tokenizer="gpt2", sample="lower", way="do")
    votes = lab.page.locator("vote-bars")
    press(lab, "1", "1", "3", "4", "Backspace")
    expect(votes).to_contain_text("3 votes")
    expect(votes.locator("li")).to_have_count(0)
    expect(lab.page.locator(".presenter .lesson-svg :is(.right, .wrong)")).to_have_count(0)
    press(lab, "PageDown")
    expect(votes.locator("li")).to_have_count(3)
    expect(votes.locator("li").first).to_contain_text("Merge l and o")
    expect(votes.locator("[data-state=right]")).to_contain_text("0 ✓ right")
    expect(lab.page.locator(".presenter .lesson-verdict")).to_contain_text("e + r has 7 and goes first")
    press(lab, "PageUp")
    expect(votes).to_contain_text("3 votes")
    expect(votes.locator("li")).to_have_count(0)
    press(lab, " ", "ArrowRight")
    expect(votes).to_contain_text("0 votes")
    assert place(lab) == "Step 1 of 5"
    press(lab, "Escape")
    assert "present" not in lab.page.url and "at=1" in lab.page.url
    expect(lab.page.locator(".lesson-step")).to_have_text("Step 1 of 5")
    expect(lab.page.locator("[data-lesson=bpe-encode]")).not_to_contain_text("/")


def test_exercises_are_voted_on(lab: Lab):
    present(lab, lesson="exercises", kind="misconceptions", seed="45", tokenizer="gpt2")
    verdict = lab.page.locator(".presenter exercises-view .lesson-verdict")
    press(lab, "PageDown")
    expect(verdict).to_contain_text("The answer:")
    press(lab, "PageDown", "2", "2", "1", "PageDown")
    expect(verdict).to_contain_text(re.compile("Right|Wrong"))
    expect(lab.page.locator(".presenter div.exercise-lines")).to_contain_text("most votes")
    assert place(lab) == "Task 2 of 5"
    assert lab.server.call("GET", "exercises/progress")["sheets"] == [], "a class is nobody's progress"


def test_an_address_shows_the_same_after_a_reload(lab: Lab):
    present(lab, playlist=PLAN, part="3", at="4")
    title = lab.page.locator(".lecture-head h2")
    expect(title).to_have_text("Characters are bytes")
    press(lab, "PageDown")
    lab.page.reload()
    lab.ready()
    expect(title).to_have_text("Characters are bytes")
    assert place(lab).startswith("Part 3 of 8 · Step 5 of")
    for key in ("[", "b"):
        press(lab, key)
    expect(lab.page.locator(".lecture-black")).to_be_visible()
    press(lab, "PageDown")
    expect(lab.page.locator(".lecture-black")).to_be_hidden()


def test_a_playlist_that_is_not_here_says_so(lab: Lab):
    present(lab, playlist="none of ours")
    expect(lab.page.get_by_text("This playlist is not in this lab: none of ours")).to_be_visible()


def test_the_button_in_the_bar_presents_the_lesson(lab: Lab):
    open_learn(lab, lesson="utf8", at="3")
    lab.page.get_by_role("button", name="Present").click()
    lab.ready()
    assert place(lab).startswith("Step 3 of")
    expect(lab.page.locator(".lecture-head h2")).to_have_text("Bytes and UTF-8")


@pytest.mark.parametrize("part", ["2", "5", "6", "8"])
def test_a_room_is_accessible_in_both_palettes(lab: Lab, axe: Axe, part: str):
    present(lab, playlist=PLAN, part=part)
    press(lab, "1", "2", "PageDown")
    axe.check(lab.page)
    press(lab, "t")
    axe.check(lab.page)


def choose(lab: Lab, path: Path) -> None:
    lab.page.locator("[data-role=playlist-file]").set_input_files(path)
    lab.ready()


@pytest.fixture
def own(lab: Lab) -> Iterator[None]:
    """The playlists that a test makes are gone after it."""
    yield
    for each in lab.server.call("GET", "playlists")["playlists"]:
        if each["id"]:
            lab.server.call("DELETE", f"playlists/{each['id']}")


def titles(lab: Lab) -> list[str]:
    return lab.page.locator("playlist-view .ordered-name bdi").all_inner_texts()


@pytest.mark.usefixtures("own")
def test_a_playlist_is_made_and_put_in_order_by_keys_and_is_still_there_after_a_reload(lab: Lab, axe: Axe):
    page = lab.page
    for name, new in (("utf8", "New playlist"), ("bpe-encode", "My lecture")):
        open_learn(lab, lesson=name, tokenizer="gpt2", sample="日本語 🙂")
        page.get_by_role("button", name="Add to playlist").focus()
        press(lab, "ArrowDown")
        page.locator(".menu-panel").get_by_role("button", name=new).focus()
        press(lab, "Enter")
    page.locator("[data-playlist='My lecture']").focus()
    press(lab, "Enter")
    expect(page.locator("playlist-view .ordered-name bdi")).to_have_text(["Bytes and UTF-8", "BPE merges"])
    page.locator("playlist-view .ordered-name").first.focus()
    press(lab, "Alt+ArrowDown")
    assert titles(lab) == ["BPE merges", "Bytes and UTF-8"]
    page.get_by_label("Minutes, part 1").fill("12")
    page.get_by_label("Name of the playlist").fill("Monday 日本語")
    press(lab, "Enter")

    def saved() -> list[str]:
        return [each["playlist"]["name"] for each in lab.server.call("GET", "playlists")["playlists"] if each["id"]]

    lab.until(lambda: saved() == ["Monday 日本語"], "the new name is saved")
    page.reload()
    lab.ready()
    expect(page.locator("playlist-view .ordered-name bdi")).to_have_text(["BPE merges", "Bytes and UTF-8"])
    expect(page.get_by_label("Minutes, part 1")).to_have_value("12")
    axe.check(page)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    axe.check(page)
    page.locator("playlist-view").get_by_role("button", name="Present", exact=True).press("Enter")
    lab.ready()
    assert place(lab).startswith("Part 1 of 2")


@pytest.mark.usefixtures("own")
def test_fields_of_a_part_are_filled_one_after_the_other(lab: Lab):
    open_learn(lab, playlist=PLAN)
    page = lab.page
    page.get_by_label("Title, part 2").fill("Where tokens end")
    press(lab, "Tab")
    expect(page.get_by_label("Minutes, part 2")).to_be_focused()
    page.keyboard.type("8")
    press(lab, "Tab")
    expect(page.get_by_label("What to say and to ask, part 2")).to_be_focused()
    assert titles(lab)[1] == "Where tokens end"
    expect(page.get_by_label("Minutes, part 2")).to_have_value("8")
    restore = page.get_by_role("button", name="Restore")  # it is saved now, in the place of the one of the lab
    expect(restore).to_be_visible()
    expect(page.get_by_role("button", name="Delete")).to_be_hidden()
    restore.focus()
    press(lab, "Enter")
    page.get_by_role("button", name="Confirm restore").focus()
    press(lab, "Enter")
    expect(page.get_by_label("Title, part 2")).not_to_have_value("Where tokens end")
    expect(restore).to_be_hidden()


@pytest.mark.usefixtures("own")
def test_a_file_is_opened_beside_one_of_its_name_and_a_damaged_one_changes_nothing(lab: Lab, tmp_path: Path):
    open_learn(lab, lesson="utf8")
    lab.page.locator(f"[data-playlist='{PLAN}']").click()
    lab.ready()
    assert len(titles(lab)) == 8
    with lab.page.expect_download() as saved:
        lab.page.get_by_role("button", name="Save as a file").click()
    file = json.loads(Path(saved.value.path()).read_text())
    file["parts"] = [{**file["parts"][4], "tokenizer": "nowhere"}]
    shared = tmp_path / "shared.json"
    shared.write_text(json.dumps(file))
    choose(lab, shared)
    expect(lab.page.get_by_label("Name of the playlist")).to_have_value(f"{PLAN} 2")
    expect(lab.page.locator(".playlist-problems li")).to_contain_text("Part 1 cannot be shown here")
    lab.tolerated = ("status of 400", "status of 422")
    for damage in (b'{"kind": 3', b'{"kind": "something else"}'):
        shared.write_bytes(damage)
        choose(lab, shared)
        expect(lab.page.get_by_text("shared.json is not a playlist")).to_be_visible()
        expect(lab.page.get_by_label("Name of the playlist")).to_have_value(f"{PLAN} 2")
    lab.page.get_by_role("button", name="Delete").click()
    lab.page.get_by_role("button", name="Confirm delete").click()
    lab.ready()
    expect(lab.page.locator("[data-playlist]")).to_have_text([PLAN])


def test_an_address_of_a_playlist_that_is_not_here_says_so_and_shows_a_lesson(lab: Lab):
    open_learn(lab, playlist="none of ours")
    expect(lab.page.get_by_text("This playlist is not in this lab: none of ours")).to_be_visible()
    expect(lab.page.locator("lesson-work")).to_be_visible()
