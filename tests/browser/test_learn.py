"""Learn: lessons are watched and carried out with the tokenizers of the lab, and every state has an address."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Axe, Lab
from tests.lesson_examples import TEXTS, UNIGRAM, unigram_file
from tests.scale import few

LESSONS = ["boundaries", *TEXTS]


@pytest.fixture
def with_unigram(lab: Lab, tmp_path: Path) -> Lab:
    lab.server.call("POST", "tokenizers", {"path": str(unigram_file(tmp_path)), "id": UNIGRAM})
    lab.server.call(
        "PUT", "preferences", {"chosen": ["gpt2", "bert-base-uncased", "o200k_harmony", UNIGRAM], "active": "gpt2"}
    )
    lab.start_again()
    return lab


def open_lesson(lab: Lab, name: str, **more: str) -> None:
    query = "&".join(f"{key}={value}" for key, value in {"lesson": name, **more}.items())
    lab.page.goto(lab.page.url.partition("#")[0] + f"#/learn?{query}")
    lab.ready()


def choices(lab: Lab):
    return lab.page.locator(".lesson-svg [data-choice]")


@pytest.mark.parametrize("name", LESSONS)
def test_each_lesson_is_accessible_in_both_ways(with_unigram: Lab, axe: Axe, name: str):
    lab = with_unigram
    for way in ("watch", "do") if name in few(LESSONS, 4) else few(("do", "watch")):
        open_lesson(lab, name, way=way, active=TEXTS.get(name, ("gpt2",))[0])
        expect(lab.page.locator(".lesson-svg:visible g").first).to_be_visible()
        axe.check_themes(lab)


def test_paths_are_drawn_again(with_unigram: Lab):
    lab = with_unigram
    open_lesson(lab, "unigram-encode", active=UNIGRAM, sample="unable")
    lab.page.get_by_role("button", name="paths", exact=True).click()
    lab.page.get_by_role("button", name="One step on").click()
    step = lab.page.locator(".lesson-step").inner_text()
    lab.page.get_by_role("button", name="Draw again").click()
    expect(lab.page).to_have_url(re.compile(r"seed=1"))
    expect(lab.page.locator(".lesson-step")).to_have_text(step)
    expect(lab.page.locator("lesson-view .lesson-sentence")).to_contain_text("Of 10 draws")
    lab.idle()


def test_paths_are_drawn_again_in_a_room(with_unigram: Lab):
    lab = with_unigram
    open_lesson(lab, "unigram-encode", present="1", tokenizer=UNIGRAM, sample="unable")
    again = lab.page.get_by_role("button", name="Draw again")
    step = lab.page.locator("presenter-foot .key-button").last
    for _ in range(100):
        if again.is_visible():
            break
        lab.page.keyboard.press("PageDown")
        lab.ready()
    before = step.inner_text()
    again.click()
    expect(lab.page).to_have_url(re.compile(r"seed=1"))
    lab.ready()
    expect(step).to_have_text(before)
    drawn = lab.page.locator(".presenter lesson-view .lesson-sentence").inner_text()
    lab.page.reload()
    lab.ready()
    expect(lab.page.locator(".presenter lesson-view .lesson-sentence")).to_have_text(drawn)
    lab.page.keyboard.press("PageDown")
    lab.ready()
    assert step.inner_text() != before


def test_a_press_of_the_mouse_draws_no_ring_around_the_next_choice(lab: Lab):
    open_lesson(lab, "bpe-encode", way="do", sample="lower")
    lab.page.get_by_role("button", name="Merge e and r", exact=True).click()
    held = lab.page.locator(".lesson-svg [data-choice]:focus")
    expect(held).to_have_css("outline-style", "none")
    lab.page.keyboard.press("ArrowRight")
    expect(held).to_have_css("outline-style", "solid")


def test_words_of_ones_own_are_kept_by_lesson(lab: Lab):
    open_lesson(lab, "bpe-encode")
    text = lab.page.get_by_role("textbox", name="Text of the lesson")
    text.fill("lower")
    lab.ready()
    lab.page.locator("[data-lesson=pipeline]").click()
    expect(text).not_to_have_value("lower")
    lab.page.locator("[data-lesson=bpe-encode]").click()
    expect(text).to_have_value("lower")
    lab.ready()


def test_where_no_tokenizer_fits_the_search_for_one_opens(lab: Lab):
    open_lesson(lab, "unigram-encode")
    lab.page.get_by_role("button", name="Find a Unigram tokenizer…").click()
    expect(lab.page.get_by_role("combobox", name="Find a tokenizer")).to_have_value("Unigram")


def test_merges_are_pressed_with_the_keyboard_alone(lab: Lab):
    open_lesson(lab, "bpe-encode", way="do", sample="lower")
    lab.page.get_by_role("radio", name="Do it").focus()
    count = lab.page.locator(".lesson-count")
    expect(count).to_have_text("0 of 4 right at the first press")
    choices(lab).first.focus()
    lab.page.keyboard.press("ArrowRight")
    expect(choices(lab).nth(1)).to_be_focused()
    for left, right in (("e", "r"), ("o", "w"), ("ow", "er"), ("l", "ower")):
        pair = lab.page.get_by_role("button", name=f"Merge {left} and {right}", exact=True)
        pair.focus()
        lab.page.keyboard.press("Enter")
    expect(count).to_have_text("4 of 4 right at the first press")
    expect(lab.page.locator("lesson-view .lesson-task")).to_have_text("No pair has a rank: these are the tokens.")
    expect(lab.page.locator("[data-lesson=bpe-encode]")).to_contain_text("4 / 4")
    lab.idle()
    lab.page.reload()
    lab.ready()
    expect(lab.page.locator("[data-lesson=bpe-encode]")).to_contain_text("4 / 4")


def test_a_miss_says_the_ranks_and_the_table_answers_too(lab: Lab):
    open_lesson(lab, "bpe-encode", way="do", sample="lower")
    lab.page.get_by_role("button", name="Merge l and o", exact=True).click()
    expect(lab.page.locator(".lesson-verdict")).to_contain_text(
        re.compile(r"l \+ o has rank 5\u202f183; e \+ r has 7 and goes first")
    )
    expect(lab.page.locator(".lesson-svg .wrong[data-choice]")).to_have_count(1)
    expect(lab.page.locator(".lesson-svg .right[data-choice]")).to_have_count(1)
    lab.page.locator("step-table tr", has_text="e + r").get_by_role("button").click()
    expect(lab.page.locator(".lesson-verdict")).to_contain_text("Right")


def test_steps_have_addresses_and_keys(lab: Lab):
    open_lesson(lab, "bpe-encode", sample="lower", at="2")
    expect(lab.page.locator(".lesson-step")).to_have_text("Step 2 of 5")
    lab.page.locator("lesson-view .lesson-task").click()
    for key, step in (("]", 3), ("[", 2), ("End", 5), ("Home", 0), ("PageDown", 1), ("PageUp", 0)):
        lab.page.keyboard.press(key)
        expect(lab.page.locator(".lesson-step")).to_have_text(f"Step {step} of 5")
    lab.page.keyboard.press("]")
    lab.idle()
    assert "at=1" in lab.page.url
    bar = lab.page.get_by_role("slider", name="Step")
    expect(bar).to_have_attribute("aria-valuetext", re.compile(r"Step 1 of 5: e \+ r become er: rank 7"))


def test_the_last_step_has_the_tokens_of_the_text(with_unigram: Lab):
    lab = with_unigram
    text = "unbelievable tokens"
    for name, tokenizer in (("pipeline", "gpt2"), ("bpe-encode", "gpt2"), ("unigram-encode", UNIGRAM)):
        open_lesson(lab, name, sample=text, active=tokenizer)
        lab.page.locator("lesson-view .lesson-task").click()
        lab.page.keyboard.press("End")
        expect(lab.page.locator("lesson-view .lesson-sentence")).to_contain_text(
            f"{len(lab.expected(tokenizer, text))} tokens"
        )


def test_the_address_says_the_tokenizer(lab: Lab):
    active = lab.page.locator("tokenizer-chips [data-active=true]")
    lab.server.call("PUT", "preferences", {"chosen": ["bert-base-uncased", "gpt2"], "active": "gpt2"})
    open_lesson(lab, "bpe-encode", sample="lower", tokenizer="cl100k_base", at="1")
    expect(active).to_have_attribute("data-tokenizer", "cl100k_base")
    lab.page.get_by_role("button", name="One step on").click()
    lab.idle()
    assert "tokenizer=cl100k_base" in lab.page.url
    lab.page.locator("tokenizer-chips [data-tokenizer=gpt2] button").first.click()
    lab.idle()
    assert "tokenizer=gpt2" in lab.page.url
    open_lesson(lab, "bpe-encode", sample="lower", tokenizer="nowhere")
    expect(lab.page.get_by_role("heading", name="nowhere is not in this lab")).to_be_visible()
    lab.page.get_by_role("button", name="Use GPT-2").click()
    lab.ready()
    expect(lab.page.locator(".lesson-svg:visible g").first).to_be_visible()
    assert "tokenizer=gpt2" in lab.page.url


def test_a_table_that_is_hidden_is_not_made(lab: Lab):
    open_lesson(lab, "bpe-encode", sample="lower", at="1")
    rows = lab.page.locator("step-table tbody tr")
    expect(rows).to_have_count(4)
    lab.page.get_by_role("button", name="Hide the panel").click()
    lab.page.get_by_role("button", name="One step on").click()
    assert rows.count() == 4, "the step before's"
    lab.page.get_by_role("button", name="Show the panel").click()
    expect(rows).to_have_count(3)


def test_a_lesson_takes_a_tokenizer_that_fits(with_unigram: Lab):
    lab = with_unigram
    open_lesson(lab, "wordpiece-encode")
    expect(lab.page.locator("tokenizer-chips [data-tokenizer='bert-base-uncased']")).to_have_attribute(
        "data-active", "true"
    )
    open_lesson(lab, "wordpiece-encode")
    lab.server.call("PUT", "preferences", {"chosen": ["gpt2"], "active": "gpt2"})
    lab.page.reload()
    lab.ready()
    expect(lab.page.get_by_role("heading", name="This lesson needs a WordPiece tokenizer")).to_be_visible()
    lab.page.get_by_role("button", name="Use BERT base, uncased").click()
    lab.ready()
    expect(lab.page.locator(".lesson-svg:visible g").first).to_be_visible()


@pytest.mark.parametrize(("sample", "said"), [("", "There is no text"), ("x" * 10_001, "This text is too long")])
def test_a_text_without_a_lesson_says_why(lab: Lab, sample: str, said: str):
    open_lesson(lab, "bpe-encode")
    lab.page.get_by_role("textbox", name="Text of the lesson").fill(sample)
    lab.ready()
    expect(lab.page.get_by_role("heading", name=said)).to_be_visible()
    lab.page.get_by_role("textbox", name="Text of the lesson").fill("lower")
    lab.ready()
    expect(lab.page.locator(".lesson-svg:visible g").first).to_be_visible()


def test_boundaries_are_placed_and_revealed(lab: Lab, axe: Axe):
    open_lesson(lab, "boundaries", sample="I don't", active="gpt2")
    expect(lab.page.locator(".lesson-svg .closed")).to_have_count(1)
    lab.page.get_by_role("button", name="Boundary after I", exact=True).click()
    place = lab.page.get_by_role("button", name="Boundary after o", exact=True)
    place.focus()
    lab.page.keyboard.press("Space")
    expect(lab.page.get_by_text("2 boundaries placed.")).to_be_visible()
    lab.page.get_by_role("button", name="Reveal").click()
    lab.ready()
    expect(lab.page.get_by_text("1 of 3 right: 1 missing, 1 too many. F1 is 0.50")).to_be_visible()
    expect(lab.page.locator(".place-reasons li")).to_have_count(2)
    expect(lab.page.locator(".place-reasons")).to_contain_text("Missing:")
    axe.check(lab.page)
    lab.page.get_by_role("button", name="Try again").click()
    expect(lab.page.get_by_text("Nothing is placed yet.")).to_be_visible()


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_a_figure_is_saved_with_its_caption(lab: Lab, kind: str):
    open_lesson(lab, "bpe-encode", sample="lower", at="2")
    lab.page.get_by_role("button", name="Export", exact=True).click()
    with lab.page.expect_download() as download:
        lab.page.get_by_role("button", name=f"Figure ({kind.upper()})").click()
    saved = download.value
    assert saved.suggested_filename == f"bpe-encode-2.{kind}"
    data = Path(saved.path()).read_bytes()
    assert b"become" in data
    if kind == "svg":
        assert b"var(" not in data and b"data-choice" not in data and b"BPE merges" in data
    else:
        assert data.startswith(b"\x89PNG")


def test_a_token_of_inspect_opens_its_lesson(lab: Lab):
    lab.page.locator("tokenizer-chips [data-tokenizer=gpt2] .pick").click()
    lab.write("some unbelievable words")
    lab.choose(7)
    lab.page.locator("[data-role=watch-how]").focus()
    lab.page.keyboard.press("Enter")
    lab.ready()
    expect(lab.page.get_by_role("heading", name="BPE merges")).to_be_visible()
    expect(lab.page.get_by_role("textbox", name="Text of the lesson")).to_have_value("some unbelievable words")
    sentence = lab.page.locator("lesson-view .lesson-sentence")
    expect(sentence).to_contain_text("become ·unbelievable")
    assert "place=token-4-" in lab.page.url and "&at=" not in lab.page.url
    lab.page.keyboard.press("[")
    expect(sentence).not_to_contain_text("become ·unbelievable")
    lab.idle()
    assert "&at=" in lab.page.url


def test_a_long_text_stays_behind_and_the_words_around_the_token_come_along(lab: Lab):
    lab.page.locator("tokenizer-chips [data-tokenizer=gpt2] .pick").click()
    lab.write("many plain words come first. " * 60 + "an unbelievable end")
    lab.choose(29 * 60 + 8)
    lab.page.locator("[data-role=watch-how]").click()
    lab.ready()
    expect(lab.page.locator("lesson-view .lesson-sentence")).to_contain_text("become ·unbelievable")
    expect(lab.page.locator("lesson-view .lesson-note")).to_have_text(
        "The text is long: only the words around that token came along."
    )
    assert len(lab.page.get_by_role("textbox", name="Text of the lesson").input_value()) <= 1000


def test_a_token_that_no_step_makes_says_so(lab: Lab):
    lab.server.call("PUT", "preferences", {"chosen": ["gpt2", "cl100k_base"], "active": "gpt2"})
    lab.start_again()
    lab.page.locator("tokenizer-chips [data-tokenizer=gpt2] .pick").click()
    lab.write("one unbelievable,x")
    lab.choose(18)
    lab.page.locator("[data-role=watch-how]").click()
    lab.ready()
    note = lab.page.locator("lesson-view .lesson-note")
    expect(note).to_contain_text("No step makes")
    expect(lab.page.locator(".lesson-step")).not_to_contain_text("Step 0 ")
    # The place is one of that tokenizer: another one has other tokens.
    lab.page.locator("tokenizer-chips [data-tokenizer=cl100k_base] .pick").click()
    lab.ready()
    expect(note).to_have_text("")
    assert "place=" not in lab.page.url


def test_a_divergence_of_compare_opens_the_lesson_of_each_tokenizer(lab: Lab, axe: Axe):
    lab.write("see unaffordable tokenizers")
    lab.go("compare")
    menu = lab.page.get_by_role("button", name="Watch how")
    expect(menu).to_be_hidden()
    lab.page.keyboard.press("n")
    for name, lesson, said in (
        ("BERT base, uncased", "WordPiece", "una is there, with ID"),
        ("GPT-2", "BPE merges", "become ·un"),
    ):
        menu.focus()
        lab.page.keyboard.press("ArrowDown")
        axe.check(lab.page)
        lab.page.get_by_role("group", name="Watch how").get_by_role("button", name=name).focus()
        lab.page.keyboard.press("Enter")
        lab.ready()
        expect(lab.page.get_by_role("heading", name=lesson, exact=True)).to_be_visible()
        expect(lab.page.locator("lesson-view .lesson-sentence")).to_contain_text(said)
        lab.go("compare")


def test_a_merge_of_train_opens_the_training_lesson_at_it(lab: Lab, axe: Axe):
    text = "low lower lowest newer newest wider widest " * 5
    body = {"sources": [{"kind": "text", "name": "Words", "text": text}], "preset": "gpt2"}
    id = lab.server.call("POST", "trainings", {**body, "options": {"vocab_size": 262}})["id"]
    lab.until(lambda: lab.server.call("GET", f"trainings/{id}")["state"] == "done", "the training has ended")
    lab.start_again()
    lab.go("train")
    watch = lab.page.locator("[data-role=watch-how]:visible")
    expect(watch).to_have_count(0)
    lab.page.locator("[data-role=train-steps] [data-row]").nth(0).click()
    axe.check_themes(lab)
    watch.focus()
    lab.page.keyboard.press("Enter")
    lab.ready()
    expect(lab.page.get_by_role("heading", name="BPE training", exact=True)).to_be_visible()
    rows = lab.server.call("GET", f"trainings/{id}/steps")["rows"]
    expect(lab.page.locator(".lesson-step")).to_contain_text(f"Step {rows[0]['rank'] + 1} of")
    sentence = lab.page.locator("lesson-view .lesson-sentence")
    expect(sentence).to_contain_text(f"occurs {rows[0]['count']} times")
    expect(lab.page.locator("lesson-view .lesson-note")).to_have_text("")


def test_an_iteration_of_train_opens_the_training_lesson_at_it(lab: Lab):
    text = "low lower lowest newer newest wider widest slow slower flower " * 5
    body = {"sources": [{"kind": "text", "name": "Words", "text": text}], "preset": "t5"}
    id = lab.server.call("POST", "trainings", {**body, "options": {"vocab_size": 40}})["id"]
    lab.until(lambda: lab.server.call("GET", f"trainings/{id}")["state"] == "done", "the training has ended")
    rows = lab.server.call("GET", f"trainings/{id}/steps?order=first")["rows"]
    lab.start_again()
    lab.go("train")
    lab.page.get_by_role("radio", name="First").check()
    lab.page.locator("[data-role=train-steps] [data-row]").nth(0).click()
    lab.page.locator("[data-role=watch-how]:visible").click()
    lab.ready()
    expect(lab.page.get_by_role("heading", name="Unigram training", exact=True)).to_be_visible()
    expect(lab.page.locator(".lesson-step")).to_contain_text("Step 2 of")
    assert f"place=iteration-1-{rows[0]['stage']}-{rows[0]['tokens']}" in lab.page.url


def test_tokenizers_of_another_family_are_grey_and_say_why(lab: Lab, axe: Axe):
    open_lesson(lab, "bpe-encode", sample="lower", active="gpt2")
    chip = lab.page.locator("tokenizer-chips [data-tokenizer='bert-base-uncased']")
    fitting = lab.page.locator("tokenizer-chips [data-tokenizer=gpt2]")
    expect(chip).to_have_attribute("data-misfit", "true")
    expect(fitting).to_have_attribute("data-misfit", "false")
    expect(chip).to_have_css("border-style", "dashed")
    why = "BERT base, uncased has another model: this lesson needs BPE."
    axe.check_themes(lab)
    expect(lab.page.get_by_text(why)).to_have_count(0)
    fitting.locator(".pick").focus()
    lab.page.keyboard.press("ArrowLeft")
    expect(chip.locator(".pick")).to_be_focused()
    expect(lab.page.get_by_text(why)).to_be_visible()
    lab.page.keyboard.press("ArrowRight")
    expect(lab.page.get_by_text(why)).to_have_count(0)
    lab.page.locator("[data-lesson=pipeline]").click()
    expect(chip).to_have_attribute("data-misfit", "false")
    lab.go("compare")
    expect(chip).to_have_attribute("data-misfit", "false")


def test_the_end_of_the_curve_is_guessed_with_the_keyboard(lab: Lab, axe: Axe):
    open_lesson(lab, "bpe-train", way="do", at="2", active="gpt2")
    page = lab.page
    expect(page.locator("lesson-view .lesson-task")).to_contain_text("Where will the curve be after step 12?")
    choices(lab).first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".lesson-verdict")).to_contain_text(re.compile(r"It ends at \d+, not at \d+"))
    guess = page.locator(".lesson-svg").get_by_text("your guess: ")
    expect(guess).to_be_visible()
    axe.check_themes(lab)
    page.locator(".lesson-svg .right[data-choice]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".lesson-step")).to_have_text("Step 3 of 12")
    page.locator("lesson-view .lesson-task").click()
    page.keyboard.press("End")
    expect(guess).to_be_visible()


def test_letters_are_cut_whole_and_boundaries_inside_of_them_are_said(lab: Lab, axe: Axe):
    open_lesson(lab, "boundaries", sample="👍🏽 नमस्ते!", active="gpt2")
    page = lab.page
    expect(choices(lab)).to_have_count(5)
    choices(lab).first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Reveal").click()
    lab.ready()
    inside = page.locator(".place-insides li")
    expect(inside.first).to_contain_text("lie inside a letter: nobody can see them, so they do not count.")
    expect(page.locator("place-view .lesson-sentence")).to_contain_text("more lie inside a letter and do not count.")
    axe.check_themes(lab)
