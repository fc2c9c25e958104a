"""Exercises in Learn: a sheet is done with the keyboard alone, comes back, and leaves the lab as a file of results."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Axe, Lab


def open_sheet(lab: Lab, kind: str, seed: int) -> None:
    lab.page.goto(lab.page.url.partition("#")[0] + f"#/learn?lesson=exercises&kind={kind}&seed={seed}&active=gpt2")
    lab.ready()


def said(lab: Lab):
    return lab.page.locator("exercises-view .lesson-verdict")


def next_button(lab: Lab):
    return lab.page.locator("[data-role=exercise-next]")


def marks(lab: Lab):
    return lab.page.get_by_role("group", name="Tasks").get_by_role("button")


def solutions(lab: Lab, kind: str, seed: int) -> list:
    """What the engine says of each task."""
    sheet = lab.server.call("GET", f"exercises?tokenizer=gpt2&kind={kind}&seed={seed}")
    answers = [[] if task["choices"] is None else 0 for task in sheet["tasks"]]
    body = {"tokenizer": "gpt2", "kind": kind, "seed": seed, "answers": answers, "keep": False}
    return [each["solution"] for each in lab.server.call("POST", "exercises/marks", body)["marks"]]


@pytest.mark.parametrize("kind", ["misconceptions", "boundaries"])
def test_a_sheet_is_accessible_before_and_after_a_mark(lab: Lab, axe: Axe, kind: str):
    open_sheet(lab, "mixed" if kind == "boundaries" else kind, 7)
    if kind == "boundaries":
        marks(lab).nth(2).click()
        lab.page.locator("exercises-view [data-choice]").nth(1).click()
    else:
        lab.page.locator("exercises-view [type=radio]").first.check()
    axe.check_themes(lab)
    next_button(lab).click()
    lab.ready()
    expect(said(lab)).not_to_be_empty()
    axe.check_themes(lab)


def test_a_sheet_is_done_with_the_keyboard_alone_and_comes_back(lab: Lab):
    open_sheet(lab, "misconceptions", 1)
    right = solutions(lab, "misconceptions", 1)
    wrong = 2
    keyboard = lab.page.keyboard
    lab.page.locator("exercises-view [type=radio]").first.focus()
    for n, solution in enumerate(right):
        expect(marks(lab).nth(n)).to_have_accessible_name(f"Task {n + 1}: open")
        keyboard.press("Space")
        for _ in range(solution if n != wrong else solution - 1 if solution else 1):
            keyboard.press("ArrowDown")
        keyboard.press("Enter")
        lab.ready()
        expect(said(lab)).to_contain_text("Wrong." if n == wrong else "Right.")
        expect(next_button(lab)).to_be_focused()
        keyboard.press("Enter")
    for n in range(len(right)):
        expect(marks(lab).nth(n)).to_have_accessible_name(f"Task {n + 1}: {'wrong' if n == wrong else 'right'}")
    score = lab.page.get_by_role("heading", name="4 of 5 right.")
    expect(score).to_be_focused()
    expect(lab.page.locator("[data-lesson='exercises misconceptions']")).to_contain_text("4 / 5")
    lab.idle()
    lab.page.reload()
    lab.ready()
    expect(score).to_be_visible()
    lab.page.get_by_role("button", name="Clear the answers").click()
    lab.ready()
    expect(marks(lab).first).to_have_accessible_name("Task 1: open")


def test_a_result_file_is_saved_and_checked(lab: Lab, tmp_path: Path):
    open_sheet(lab, "before", 3)
    lab.page.get_by_role("textbox", name="Seed").fill("4")
    lab.page.keyboard.press("Enter")
    lab.ready()
    assert "seed=4" in lab.page.url
    lab.page.locator("exercises-view [type=radio]").first.check()
    next_button(lab).click()
    lab.ready()
    lab.page.get_by_role("button", name="Save result file…").click()
    lab.page.get_by_role("textbox", name="Your name").fill("A student")
    with lab.page.expect_download() as download:
        lab.page.keyboard.press("Enter")
    file = tmp_path / "student.json"
    download.value.save_as(file)
    lab.page.locator("[data-role=result-file]").set_input_files(file)
    lab.ready()
    expect(lab.page.get_by_text("A student:")).to_contain_text("“Ten questions, before”, seed 4, with gpt2.")
    lab.tolerated = ("status of 422",)
    damaged = json.loads(file.read_text(encoding="utf-8")) | {"right": 9}
    file.write_text(json.dumps(damaged), encoding="utf-8")
    lab.page.locator("[data-role=result-file]").set_input_files(file)
    lab.ready()
    expect(lab.page.get_by_text("A student:")).to_have_count(0)
    expect(lab.page.locator(".exercise-file")).to_contain_text("Right is 9, and the engine counts")
