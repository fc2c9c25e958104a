"""Train: a training from its start to Inspect, pause and resume, errors beside their cause, and what axe says.

Which options the form has, and what it says of wrong ones: `tests/js/train_form.test.js`.
"""

import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Axe, Lab, Server

TEXT = "low lower lowest newer newest wider widest <img src=x onerror=alert(1)> 日本語\n" * 20
LARGE = {"sources": [{"kind": "practice", "name": "library"}], "preset": "gpt2", "held_out": {"share": 0.05}}
SIZE = 400_000
SLOW = (sys.executable, str(Path(__file__).with_name("slow_trainings.py")))
LIVE = ("running", "paused")


@pytest.fixture(scope="module")
def slow_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose trainings of `LARGE` go on until a test stops them."""
    started = Server(tmp_path_factory.mktemp("slow-trainings"), SLOW)
    yield started
    started.stop()


@pytest.fixture
def slow_lab(open_page: Callable[..., Lab], slow_server: Server, preferences: dict) -> Lab:
    """Inspect, freshly opened, of that server."""
    slow_server.call("PUT", "preferences", preferences)
    fresh = open_page(slow_server)
    fresh.open()
    return fresh


def train(lab: Lab, **body: object) -> dict:
    """A training that has ended, started over HTTP."""
    request = {"sources": [{"kind": "text", "name": "Words", "text": TEXT}], "preset": "gpt2", **body}
    id = lab.server.call("POST", "trainings", request)["id"]
    return lab.until(lambda: ended(lab, id), "the training has ended")


def ended(lab: Lab, id: int) -> dict | None:
    training = lab.server.call("GET", f"trainings/{id}")
    return None if training["state"] in LIVE else training


def newest(lab: Lab) -> dict:
    return lab.server.call("GET", "trainings")["trainings"][0]


def begun(lab: Lab) -> None:
    """The first merges are made."""
    lab.until(lambda: newest(lab)["done"], "the first merges are made")


def choose_text(lab: Lab, text: str = TEXT) -> None:
    lab.page.locator("[data-role=train-source]").select_option("@text")
    lab.page.locator("[data-role=train-text]").fill(text)


def test_a_new_lab_trains_on_the_practice_corpus_with_one_press(lab: Lab):
    page = lab.page
    lab.go("train")
    expect(page.locator(".train first-invitation")).to_contain_text("Watch a tokenizer learn its vocabulary")
    page.locator("[data-role=train-practice]").click()
    expect(page.locator("train-stages")).to_be_visible()
    expect(page.locator("[data-role=new-training]")).to_be_visible(timeout=120_000)
    lab.ready()
    training = newest(lab)
    assert (training["state"], training["options"]["algorithm"]) == ("done", "bpe")
    assert page.url.endswith(f"training={training['id']}")
    expect(page.locator("[data-role=train-done]")).to_have_text(f"{training['done']:,}".replace(",", "\u202f"))
    steps = lab.server.call("GET", f"trainings/{training['id']}/steps?limit=1&order=newest")
    first = page.locator("[data-role=train-steps] [data-row='0']")
    expect(first.locator(".rank")).to_have_text(f"{steps['rows'][0]['rank'] + 1:,}".replace(",", "\u202f"))
    page.get_by_role("radio", name="First").click()
    expect(first.locator(".rank")).to_have_text("1")
    expect(page.locator(".train-charts lab-chart")).to_have_count(3)
    expect(page.locator("[data-role=train-result]")).to_contain_text("of its vocabulary")
    page.get_by_role("tab", name="Log").click()
    log = lab.server.call("GET", f"trainings/{training['id']}/log")["lines"]
    expect(page.locator("train-log li")).to_have_count(len(log))
    page.reload()
    lab.ready()
    expect(page.locator("train-log li")).to_have_count(len(log))


def test_a_training_is_paused_continued_and_kept(slow_lab: Lab):
    lab, page = slow_lab, slow_lab.page
    lab.go("train")
    page.locator("[data-role=train-source]").select_option("practice:library")
    page.locator("[data-role=train-size]").fill(str(SIZE))
    page.locator("[data-role=start-training]").click()
    expect(page.locator(".bar [data-role=job]")).to_be_visible()
    expect(page.locator("[data-role=train-pause]")).to_be_visible()
    begun(lab)
    page.locator("h1").focus()
    page.keyboard.press("Space")
    expect(page.locator("[data-role=train-continue]")).to_be_visible()
    expect(page.locator("train-stages [aria-current=step]")).to_contain_text("Paused")
    done = lab.until(lambda: newest(lab)["state"] == "paused" and newest(lab)["done"], "it is paused")
    expect(page.locator("training-card")).to_contain_text("Settings are locked while training runs.")
    page.locator("[data-role=train-continue]").focus()
    page.keyboard.press("Space")  # presses the button, and is no command as well
    lab.until(lambda: newest(lab)["done"] > done, "it goes on")
    page.locator("[data-role=train-pause]").click()
    expect(page.locator("[data-role=train-continue]")).to_be_visible()
    page.locator("[data-role=train-keep]").click()
    expect(page.locator("[data-role=train-end]")).to_contain_text("Stopped")
    expect(page.locator(".bar [data-role=job]")).to_have_count(0)
    training = newest(lab)
    assert training["state"] == "kept" and done < training["done"] < SIZE
    page.locator("[data-role=open-tokenizer]").click()
    expect(page.locator(".screen[data-screen=inspect]")).to_be_visible()
    lab.ready()
    kept = newest(lab)["tokenizer"]
    assert lab.count(kept) == len(lab.expected(kept, lab.current_text))


def test_a_cancelled_training_stays_and_is_deleted(slow_lab: Lab):
    lab, page = slow_lab, slow_lab.page
    lab.server.call("POST", "trainings", {**LARGE, "options": {"vocab_size": SIZE}})
    lab.go("train")
    begun(lab)
    page.locator("[data-role=train-halt]").click()
    page.locator("[data-role=train-halt]").click()
    expect(page.locator("[data-role=train-end]")).to_contain_text("Cancelled")
    page.get_by_role("tab", name="Past trainings").click()
    entry = page.locator(".past-training")
    expect(entry).to_contain_text("Cancelled")
    expect(entry.get_by_role("button", name="Resume")).to_be_visible()
    expect(page.locator("[data-role=train-resume]")).to_be_visible()
    entry.get_by_role("button", name="Delete").click()
    entry.get_by_role("button", name="Confirm delete").click()
    expect(page.locator(".train first-invitation")).to_be_visible()
    assert lab.server.call("GET", "trainings")["trainings"] == []


def test_too_small_a_text_gives_fewer_tokens_and_says_why(lab: Lab):
    """A token is text: the markup in it is never an element."""
    page = lab.page
    lab.go("train")
    choose_text(lab)
    expect(page.locator("[data-role=train-estimate]")).to_contain_text("about")
    page.locator("[data-role=start-training]").click()
    expect(page.locator("[data-role=train-end]")).to_contain_text("Fewer tokens than asked for")
    lab.ready()
    assert page.locator(".train img").count() == 0
    expect(page.locator("[data-role=train-steps]")).to_contain_text("onerror")
    training = newest(lab)
    assert training["vocab_size"] < training["options"]["vocab_size"]
    # The same again, with a smaller vocabulary: the setup is that of the training.
    page.locator("[data-role=new-training]").click()
    expect(page.locator("[data-role=train-text]")).to_have_value(TEXT)
    page.locator("[data-role=train-size]").fill("280")
    page.keyboard.press("Control+Enter")
    lab.until(lambda: newest(lab)["vocab_size"] == 280 and newest(lab)["state"] == "done", "the second one is done")
    expect(page.locator("[data-role=train-end]")).to_be_hidden()
    page.get_by_role("tab", name="Past trainings").click()
    expect(page.locator(".past-training")).to_have_count(2)
    page.locator(".past-open").last.click()
    expect(page.locator("[data-role=train-end]")).to_contain_text("Fewer tokens than asked for")


def with_details(lab: Lab, algorithm: str) -> Page:
    """The setup of a small training, its details open."""
    page = lab.page
    lab.go("train")
    choose_text(lab)
    page.get_by_role("radio", name=algorithm).click()
    page.locator("[data-role=train-size]").fill("60")
    page.locator(".train-details summary").click()
    return page


def test_unigram_trains_in_the_variant_that_is_chosen(lab: Lab):
    page = with_details(lab, "Unigram")
    variant = page.locator("[data-role=train-variant]")
    expect(variant).to_have_value("words")
    variant.select_option("sentencepiece")
    before = len(lab.server.call("GET", "trainings")["trainings"])
    page.locator("[data-role=start-training]").click()
    lab.until(lambda: len(lab.server.call("GET", "trainings")["trainings"]) > before, "it has begun")
    assert newest(lab)["options"]["variant"] == "sentencepiece"
    lab.until(lambda: ended(lab, newest(lab)["id"]), "the training has ended")
    expect(page.locator("training-card")).to_contain_text("SentencePiece")


def test_a_wrong_detail_is_said_at_its_field_and_trains_nothing(lab: Lab):
    page = with_details(lab, "Unigram")
    start, basis = page.locator("[data-role=start-training]"), page.locator(".train-basis")
    field, problem = page.locator("[data-role=train-shrinking_factor]"), page.locator("#train-shrinking_factor-problem")
    for wrong in ("1.5", "0,77", "-1"):
        field.fill(wrong)
        expect(problem).to_contain_text(wrong)
        expect(problem).to_contain_text("Write a number above 0 and at most 0.999.")
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(start).to_be_disabled()
    page.keyboard.press("Control+Enter")
    # Where it is folded, or reloaded, it is still said.
    page.locator(".train-details summary").click()
    expect(page.locator("#train-details-problem")).to_contain_text("Shrinking factor cannot be -1")
    expect(basis).to_have_text("Before you train, correct “Details”.")
    page.locator(".train-details summary").click()
    expect(page.locator("#train-details-problem")).to_be_hidden()
    field.fill("0.77")
    expect(problem).to_be_hidden()
    coverage = page.locator("[data-role=train-character_coverage]")
    coverage.fill("0.99995")
    expect(page.locator("#train-character_coverage-problem")).to_be_hidden()
    assert lab.server.call("GET", "trainings")["trainings"] == []
    start.click()
    lab.until(lambda: lab.server.call("GET", "trainings")["trainings"], "it has begun")
    options = newest(lab)["options"]
    assert (options["shrinking_factor"], options["character_coverage"]) == (0.77, 0.99995)


def test_wordpiece_merges_by_the_score_that_is_chosen(lab: Lab):
    page = with_details(lab, "WordPiece")
    score = page.locator("[data-role=train-score]")
    expect(score).to_have_value("frequency")
    score.select_option("likelihood")
    page.locator("[data-role=start-training]").click()
    lab.until(lambda: lab.server.call("GET", "trainings")["trainings"], "it has begun")
    training = lab.until(lambda: ended(lab, newest(lab)["id"]), "the training has ended")
    assert training["state"] == "done" and training["options"]["score"] == "likelihood"
    expect(page.locator("training-card")).to_contain_text("likelihood")
    expect(page.get_by_role("columnheader", name="Count", exact=True)).to_be_visible()
    expect(page.get_by_role("columnheader", name="Score", exact=True)).to_be_visible()


def test_options_without_a_field_are_kept_and_named(lab: Lab):
    page = lab.page
    train(lab, preset=None, options={"algorithm": "wordpiece", "vocab_size": 60, "continuing_prefix": "@@"})
    lab.go("train")
    page.locator("[data-role=new-training]").click()
    expect(page.get_by_role("radio", name="WordPiece")).to_be_checked()
    page.locator(".train-details summary").click()
    expect(page.locator("[data-role=train-others]")).to_have_text("Also set: continuing_prefix.")
    page.locator("[data-role=start-training]").click()
    lab.until(lambda: len(lab.server.call("GET", "trainings")["trainings"]) == 2, "it has begun")
    assert newest(lab)["options"]["continuing_prefix"] == "@@"
    lab.until(lambda: ended(lab, newest(lab)["id"]), "the training has ended")
    page.locator("[data-role=new-training]").click()
    page.get_by_role("button", name="Use the preset for these").click()
    expect(page.locator("[data-role=train-others]")).to_have_count(0)


def test_time_and_memory_are_seen_without_scrolling(lab: Lab):
    page = lab.page
    train(lab, options={"vocab_size": 300})
    for height in (720, 1200):
        page.set_viewport_size({"width": 1280, "height": height})
        lab.open("train")
        expect(page.locator(".train-costs")).to_be_in_viewport(ratio=1)
        expect(page.locator("[data-role=open-tokenizer]")).to_be_in_viewport(ratio=1)
        page.locator("[data-role=new-training]").click()
        expect(page.locator("[data-role=train-estimate]")).to_contain_text("Peak memory")
        for part in ("train-estimate", "start-training", "train-size"):
            expect(page.locator(f"[data-role={part}]")).to_be_in_viewport(ratio=1)


def test_an_error_is_said_beside_its_cause(lab: Lab):
    lab.tolerated = ("status of 4",)
    page = lab.page
    lab.go("train")
    page.locator("[data-role=train-source]").select_option("@files")
    start = page.locator("[data-role=start-training]")
    problem = page.locator("#train-source-problem")
    expect(problem).to_contain_text("Write the path of a file or a folder")
    expect(start).to_be_disabled()
    page.locator("[data-role=train-paths]").fill("/nowhere/text.txt")
    expect(problem).to_contain_text("/nowhere/text.txt")
    expect(page.locator("[data-role=train-paths]")).to_have_attribute("aria-invalid", "true")
    choose_text(lab)
    page.locator("[data-role=train-size]").fill("100")
    expect(page.locator("#train-size-problem")).to_contain_text("no room for the 256 bytes")
    page.locator("[data-role=train-size]").fill("")
    expect(page.locator("#train-size-problem")).to_contain_text("whole number")
    expect(start).to_be_disabled()
    page.keyboard.press("Control+Enter")
    lab.ready()
    assert lab.server.call("GET", "trainings")["trainings"] == []
    page.locator("[data-role=train-size]").fill("300")
    expect(start).to_be_enabled()


def place_of(lab: Lab, role: str) -> dict:
    return lab.page.locator(f"[data-role={role}]").bounding_box()


def test_nothing_moves_under_the_pointer(slow_lab: Lab):
    """The second press on Cancel is where the first one was, and the estimate does not push its button away."""
    lab, page = slow_lab, slow_lab.page
    page.set_viewport_size({"width": 1280, "height": 720})
    lab.go("train")
    expect(page.locator("[data-role=train-estimate]")).to_contain_text("about")
    before = place_of(lab, "start-training")
    held: list[Route] = []
    page.route("**/api/v1/trainings/estimate", lambda route: held.append(route), times=1)
    page.locator("[data-role=train-size]").fill("9000")
    lab.until(lambda: held, "another estimate is asked for")
    expect(page.locator(".train-basis")).to_have_text("Estimating…")
    assert place_of(lab, "start-training") == before
    held[0].continue_()
    expect(page.locator("[data-role=train-estimate]")).to_contain_text("about")
    assert place_of(lab, "start-training") == before
    lab.server.call("POST", "trainings", {**LARGE, "options": {"vocab_size": SIZE}})
    lab.open("train")
    begun(lab)
    page.locator("[data-role=train-pause]").click()
    expect(page.locator("[data-role=train-continue]")).to_be_visible()
    halt, before = page.locator("[data-role=train-halt]"), place_of(lab, "train-halt")
    halt.click()
    expect(halt).to_have_accessible_name("Confirm: cancel the training")
    assert place_of(lab, "train-halt") == before


def test_a_training_that_has_ended_says_so_of_its_stage(slow_lab: Lab):
    lab = slow_lab
    id = lab.server.call("POST", "trainings", {**LARGE, "options": {"vocab_size": SIZE}})["id"]
    lab.until(lambda: newest(lab)["left_s"], "the time that is left is known")
    lab.server.call("DELETE", f"trainings/{id}")
    lab.until(lambda: ended(lab, id), "it is cancelled")
    lab.go("train")
    stage = lab.page.locator(".train-stage[data-state=over]")
    expect(stage).to_contain_text("Not finished")
    expect(stage).not_to_contain_text("left")
    expect(stage.locator(".stage-share")).to_be_empty()


def test_a_long_name_is_shown_with_its_training(lab: Lab):
    page, name = lab.page, "日本語 العربية 🎉 " + "x" * 150
    train(lab, options={"vocab_size": 300}, name=name)
    page.set_viewport_size({"width": 900, "height": 720})
    lab.go("train")
    expect(page.locator("[data-role=train-name-shown]")).to_have_text(name)
    page.get_by_role("tab", name="Past trainings").click()
    expect(page.locator(".past-name")).to_have_text(name)
    assert page.locator(".past-name").evaluate("e => e.scrollWidth - e.clientWidth") <= 0
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_resume_is_offered_only_with_a_checkpoint(lab: Lab):
    page = lab.page
    training = train(lab, preset="bert", options={"vocab_size": 8})
    assert training["state"] == "failed" and not training["can_resume"], training
    lab.go("train")
    expect(page.locator("[data-role=train-end]")).to_contain_text("The vocabulary size is 8")
    expect(page.locator("[data-role=new-training]")).to_be_visible()
    expect(page.locator("[data-role=train-resume]")).to_be_hidden()
    page.get_by_role("tab", name="Past trainings").click()
    expect(page.locator(".past-training")).to_contain_text("Failed")
    expect(page.locator(".past-resume")).to_be_hidden()


@pytest.mark.parametrize(
    ("preset", "head", "chart"),
    [("bert", "Count", "counts"), ("t5", "Loss", "loss"), ("words", "Id", "counts")],
)
def test_each_algorithm_has_its_own_table_and_chart(lab: Lab, preset: str, head: str, chart: str):
    training = train(lab, preset=preset, held_out={"share": 0.2}, options={"vocab_size": 120})
    assert training["state"] == "done", training
    lab.go("train")
    expect(lab.page.get_by_role("columnheader", name=head, exact=True)).to_be_visible()
    expect(lab.page.locator("[data-role=train-steps] [data-row='0'] .cell").first).not_to_have_text("…")
    expect(lab.page.locator(f"[data-chart={chart}]")).to_be_visible()


def test_long_numbers_are_whole_and_stand_under_their_heads(lab: Lab):
    page = lab.page
    page.set_viewport_size({"width": 1280, "height": 720})
    source = {"kind": "practice", "name": "library"}
    train(lab, sources=[source], held_out={"share": 0.05}, options={"vocab_size": 12_000})
    lab.go("train")
    row = page.locator("[data-role=train-steps] [data-row='0']")
    expect(row.locator(".rank")).to_have_text("11\u202f743")
    for order in ("Newest", "First"):
        page.get_by_role("radio", name=order).click()
        lab.frames()
        for column in ("rank", "count", "held"):
            cell, head = row.locator(f".{column}"), page.locator(f".step-grid .table-head .{column}")
            assert cell.evaluate("e => e.scrollWidth - e.clientWidth") <= 0, (order, column)
            right = [e.bounding_box()["x"] + e.bounding_box()["width"] for e in (cell, head)]
            assert abs(right[0] - right[1]) < 1, (order, column, right)


def test_compare_and_save(lab: Lab):
    page = lab.page
    train(lab, options={"vocab_size": 300})
    lab.go("train")
    with page.expect_download() as saving:
        page.locator("[data-role=save-tokenizer]").click()
        page.locator("[data-role='save-tokenizer.json']").click()
    assert '"model"' in Path(saving.value.path()).read_text(encoding="utf-8")
    with page.expect_download() as saving:
        page.locator("[data-role=save-tokenizer]").click()
        # Each format that can hold it, and the reason for each that cannot.
        for format in ("vocab+merges", "tiktoken"):
            expect(page.locator(f"[data-role='save-{format}']")).to_be_visible()
        expect(page.locator("training-card .menu-note")).to_have_count(2)
        expect(page.locator("training-card menu-button").last).to_contain_text(
            "Not as vocab.txt: it holds WordPiece vocabularies only."
        )
        page.locator("[data-role=report-md]").click()
    report = Path(saving.value.path()).read_text(encoding="utf-8")
    assert "## Repeat" in report and "| gpt2 |" in report.replace("GPT-2", "gpt2")
    page.locator("[data-role=compare-tokenizer]").click()
    page.locator("[data-role=compare-gpt2]").click()
    expect(page.locator(".screen[data-screen=compare]")).to_be_visible()
    lab.ready()
    assert page.locator("tokenizer-chips .chip").count() == 2


def test_a_hidden_screen_says_nothing(slow_lab: Lab):
    lab = slow_lab
    lab.server.call("POST", "trainings", {**LARGE, "options": {"vocab_size": SIZE}})
    lab.go("train")
    expect(lab.page.locator(".status .note")).to_contain_text("checkpoint")
    lab.go("library")
    begun(lab)
    lab.frames()
    expect(lab.page.locator(".status .note")).not_to_contain_text("checkpoint")
    expect(lab.page.locator("train-facts")).to_have_count(0)


def test_a_training_goes_on_after_a_kill(open_page: Callable[..., Lab], tmp_path: Path):
    first = Server(tmp_path, SLOW)
    id = first.call("POST", "trainings", {**LARGE, "options": {"vocab_size": 2_000}})["id"]
    lab = open_page(first)
    lab.until(lambda: first.call("GET", f"trainings/{id}")["done"], "the first merges are made")
    first.call("POST", f"trainings/{id}/pause")
    lab.until(lambda: (tmp_path / "trainings" / str(id) / "checkpoint").is_file(), "a checkpoint is written")
    first.process.send_signal(signal.SIGKILL)
    first.process.wait()
    second = Server(tmp_path)
    after = open_page(second)
    try:
        after.open("train")
        expect(after.page.locator("[data-role=train-end]")).to_contain_text("The lab was closed")
        after.page.locator("[data-role=train-resume]").click()
        lab.until(lambda: second.call("GET", f"trainings/{id}")["state"] == "done", "it is done")
        expect(after.page.locator("[data-role=train-end]")).to_be_hidden()
    finally:
        after.page.close()
        second.stop()


def first_view(lab: Lab) -> None:
    lab.go("train")


def setup_with_details(lab: Lab) -> None:
    lab.go("train")
    lab.page.locator("[data-role=train-source]").select_option("@files")
    lab.page.get_by_text("Details", exact=True).click()
    expect(lab.page.locator("#train-source-problem")).to_be_visible()


def wrong_detail(lab: Lab) -> None:
    lab.go("train")
    lab.page.get_by_role("radio", name="Unigram").click()
    lab.page.get_by_text("Details", exact=True).click()
    lab.page.locator("[data-role=train-em_iterations]").fill("many")
    expect(lab.page.locator("#train-em_iterations-problem")).to_be_in_viewport(ratio=1)


def finished(lab: Lab) -> None:
    train(lab, held_out={"share": 0.2})
    lab.go("train")
    expect(lab.page.locator("[data-role=train-end]")).to_be_visible()


def running(lab: Lab) -> None:
    lab.server.call("POST", "trainings", {**LARGE, "options": {"vocab_size": SIZE}})
    lab.go("train")
    begun(lab)
    lab.page.locator("[data-role=train-pause]").click()
    expect(lab.page.locator("[data-role=train-continue]")).to_be_visible()


@pytest.mark.parametrize("state", [first_view, setup_with_details, wrong_detail, finished, running])
def test_axe_finds_nothing_serious(request: pytest.FixtureRequest, axe: Axe, state: Callable[[Lab], None]):
    lab = request.getfixturevalue("slow_lab" if state is running else "lab")
    lab.page.set_viewport_size({"width": 1280, "height": 720})
    state(lab)

    def fits() -> None:
        lab.ready()
        wide = lab.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{wide} px wider than the window"

    def open_tab(name: str) -> None:
        lab.page.get_by_role("tab", name=name).click()
        fits()

    tabs = [partial(open_tab, name) for name in ("Log", "Past trainings")] if state is finished else []
    fits()
    axe.check_themes(lab)
    if tabs:
        axe.check_themes(lab, views=tabs)
