"""Corpus: from a dropped file to an analysis with charts and tables; what the address, a reload and axe say of it."""

import re
import zipfile

from playwright.sync_api import expect

from tests.browser.conftest import Axe, Lab
from tests.scale import few

DROP = """() => {
    const data = new DataTransfer();
    data.items.add(new File(['the cat sat on the mat\\n'.repeat(40) + 'the 🦊 dog\\n'.repeat(9)], 'cats.txt'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def number(text: str) -> int:
    return int(re.sub(r"\D", "", text))


def analyzed(lab: Lab) -> None:
    """Drops a small corpus and counts it."""
    lab.go("corpus")
    expect(lab.page.locator(".corpus first-invitation")).to_contain_text("Universal Declaration of Human Rights")
    lab.page.evaluate(DROP)
    expect(lab.page.locator(".corpus first-invitation h2")).to_have_text("cats.txt")
    lab.page.locator("[data-role=analyze]").click()
    lab.page.locator("fact-cards [data-role=count]").first.wait_for()
    lab.ready()


def test_a_dropped_file_is_analysed_and_its_tokens_are_listed(lab: Lab):
    analyzed(lab)
    page = lab.page
    [kept] = lab.server.call("GET", "analyses")["analyses"][:1]
    for tokenizer, tokens in kept["tokens"].items():
        card = page.locator(f"fact-cards [data-role=count][data-tokenizer='{tokenizer}']")
        assert number(card.inner_text()) == tokens
    # The unknown token is first, in words too.
    page.locator("side-panel").get_by_role("radio", name="BERT").click()
    expect(page.locator(".frequent-row").first).to_contain_text("[UNK]")
    expect(page.locator("[data-role=unknown-note]")).to_contain_text("lost, not compressed")
    # No languages: the chart of premium says why it is not drawn.
    expect(page.locator(".overview [data-figure]").last).to_contain_text("Not measured")
    expect(page.locator(".overview [data-figure]").last).to_have_attribute("data-figure", "premium")
    expect(page.locator("[data-figure=zipf] svg").first).to_be_visible()

    page.get_by_role("tab", name="Frequencies").click()
    lab.ready()
    page.locator(".corpus-view.frequencies").get_by_role("radio", name="GPT-2").click()
    page.locator("[data-role=frequency-search]").fill("cat")
    lab.idle()
    rows = page.locator("[data-role=frequency-rows] [data-row]")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("cat")
    assert "q=cat" in page.url and "tab=frequencies" in page.url and f"analysis={kept['id']}" in page.url

    page.reload()
    lab.ready()
    expect(page.get_by_role("tab", name="Frequencies")).to_have_attribute("aria-selected", "true")
    expect(rows).to_have_count(1)


def test_every_view_is_accessible(lab: Lab, axe: Axe):
    analyzed(lab)
    names = ("Overview", "Frequencies", "Languages", "Lengths", "Robustness", "Concordance")
    views = [lab.page.get_by_role("tab", name=name).click for name in names]
    axe.check_themes(lab, views=views, dark=few(views, 2))


def test_an_analysis_is_repeated_compared_and_deleted(lab: Lab):
    analyzed(lab)
    page = lab.page
    before = len(lab.server.call("GET", "analyses")["analyses"])
    page.locator("[data-role=analyze]").click()
    lab.until(lambda: len(lab.server.call("GET", "analyses")["analyses"]) > before, "a second analysis")
    newest, earlier = (one["id"] for one in lab.server.call("GET", "analyses")["analyses"][:2])
    expect(page).to_have_url(re.compile(f"analysis={newest}"))
    page.locator("[data-role=results]").click()
    page.locator("results-menu [data-analysis]").and_(page.locator(f"[data-analysis='{earlier}']")).last.click()
    lab.ready()
    assert f"before={earlier}" in page.url
    expect(page.locator("fact-cards")).to_contain_text("±0")
    page.locator("[data-role=results]").click()
    page.locator("[data-role=differences]").click()
    expect(page.locator("dialog.comparison")).to_contain_text(re.compile(r"All \d+ numbers are the same"))
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Settings").click()
    delete = page.get_by_role("button", name="Delete this analysis")
    delete.click()
    page.get_by_role("button", name=re.compile("Confirm delete")).click()
    expect(page).to_have_url(re.compile(f"analysis={earlier}"))
    assert len(lab.server.call("GET", "analyses")["analyses"]) == before


def test_all_differences_from_an_earlier_analysis_are_listed(lab: Lab, axe: Axe):
    analyzed(lab)
    page = lab.page
    whole = lab.server.call("GET", "analyses")["analyses"][0]
    body = {"corpus": whole["corpus"], "tokenizers": ["gpt2"], "sample_bytes": 300}
    job = lab.server.call("POST", "analyses", body)
    lab.until(lambda: lab.server.call("GET", f"jobs/{job['id']}")["state"] == "done", "the sample is counted")
    sample = lab.server.call("GET", "analyses")["analyses"][0]
    changes = lab.server.call("GET", f"analyses/{whole['id']}/compare/{sample['id']}")
    lab.open(f"corpus?analysis={sample['id']}&before={whole['id']}")
    page.locator("[data-role=results]").click()
    page.locator("[data-role=differences]").click()
    dialog = page.locator("dialog.comparison")
    expect(dialog).to_contain_text(f"{len(changes['metrics'])} of {changes['compared']} numbers differ")
    expect(dialog).to_contain_text("Only in the earlier run: BERT base, uncased")
    expect(dialog.locator("[data-role=comparison-settings] tr", has_text="sampled")).to_contain_text("all")
    cells = [number(text) for text in dialog.locator("[data-metric=tokens] td.number").all_inner_texts()]
    after, before = sample["tokens"]["gpt2"], whole["tokens"]["gpt2"]
    assert cells == [after, before, before - after] and after < before
    axe.check_themes(lab, "dialog[open]")
    page.keyboard.press("Escape")
    # A tokenizer in use that the analysis has not counted has a dash, not a number.
    other = page.locator(".corpus-card", has_text="BERT base, uncased")
    expect(other).to_contain_text("Not in this analysis")
    expect(other.locator(".big")).to_have_text("–")
    expect(page.locator(".corpus-card", has_text="GPT-2")).to_contain_text("tokens against the earlier analysis")


def test_a_token_and_a_word_are_found_in_context(lab: Lab):
    analyzed(lab)
    page = lab.page
    lines = page.locator("[data-role=concordance-lines] li")
    found = page.locator("[data-role=concordance-found]")
    # From the list of frequent tokens.
    page.locator("side-panel").get_by_role("radio", name="GPT-2").click()
    page.locator(".frequent-row", has_text="mat").click()
    lab.ready()
    expect(found).to_have_text("All 40 occurrences")
    expect(lines).to_have_count(40)
    texts = lines.first.locator(".kwic-text > *").all_inner_texts()
    assert texts[0] == "the cat sat on the" and "mat" in texts[1] and texts[2] == "", texts
    middle = {
        round(box["x"] + box["width"] / 2) for box in (line.bounding_box() for line in lines.locator("mark").all()[:3])
    }
    assert len(middle) == 1
    # Another tokenizer has other ids: its own token is chosen, and found page by page.
    page.locator(".corpus-view.concordance").get_by_role("radio", name="BERT").click()
    lab.ready()
    expect(lines).to_have_count(0)
    page.locator(".kwic-choices .token-button", has_text="the").first.click()
    lab.ready()
    expect(found).to_have_text("The first 50 of 89 occurrences")
    page.locator("[data-role=concordance-more]").click()
    lab.ready()
    expect(found).to_have_text("All 89 occurrences")
    expect(lines).to_have_count(89)
    assert {line.locator("mark").inner_text() for line in lines.all()[::20]} == {"the"}
    # A word, with its segmentations, which the address has.
    page.locator("concordance-view").get_by_role("radio", name="Word").click()
    page.locator("[data-role=concordance-search]").fill("dog")
    page.keyboard.press("Enter")
    lab.ready()
    expect(lines).to_have_count(9)
    expect(page.locator("[data-role=segmentations] tbody tr")).to_have_count(1)
    expect(page.locator("[data-role=segmentations] caption")).to_contain_text("1 segmentation of 9 occurrences")
    page.reload()
    lab.ready()
    expect(lines).to_have_count(9)
    # A token of the segmentation, and from there its entry in the vocabulary.
    page.locator("[data-role=segmentations] .token-button").first.click()
    lab.ready()
    assert "word=" not in page.url and "id=" in page.url
    expect(lines).to_have_count(9)
    page.locator("[data-role=concordance-entry]").click()
    expect(page).to_have_url(re.compile("#/vocabulary.*token="))
    # Without the corpus, one search says so; what was counted stays.
    kept = lab.server.call("GET", "analyses")["analyses"][0]
    lab.server.call("DELETE", f"corpora/{kept['corpus']}")
    lab.tolerated = ("status of 404",)
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if one.url.endswith("/concordance") else None)
    page.goto("about:blank")
    lab.open(f"corpus?analysis={kept['id']}&tab=concordance&id=1169&tokenizer=gpt2")
    expect(page.get_by_role("alert").filter(visible=True)).to_contain_text(f'no corpus "{kept["corpus"]}"')
    expect(found).to_have_text("The search failed.")
    expect(page.locator("fact-cards [data-role=count]")).to_have_count(2)
    page.locator(".kwic-choices .token-button").first.wait_for()
    assert len(asked) == 1, asked
    # The bar names what the numbers are of, and nothing is offered that cannot be done. The panel is as high as the work.
    expect(page.locator("[data-role=corpus]")).to_contain_text("cats.txt")
    expect(page.locator("[data-role=analyze]")).to_be_disabled()
    page.get_by_role("tab", name="Settings").click()
    expect(page.get_by_role("button", name="Delete this analysis")).to_be_visible()
    expect(page.get_by_role("button", name="Run again")).to_have_count(0)
    bottoms = [page.locator(where).bounding_box() for where in ("side-panel", "main")]
    assert len({round(box["y"] + box["height"]) for box in bottoms}) == 1


def test_steps_of_cleaning_are_tried_and_make_another_corpus(lab: Lab):
    lab.tolerated = ("status of 422",)
    analyzed(lab)
    page = lab.page
    page.get_by_role("tab", name="Settings").click()
    lab.ready()
    page.locator("corpus-cleaning summary").click()
    steps = [one["name"] for one in lab.server.call("GET", "corpora")["cleaning_steps"]]
    boxes = page.locator("corpus-cleaning input[type=checkbox]")
    assert [box.get_attribute("data-step") for box in boxes.all()] == steps
    again = page.get_by_role("button", name="Create a corpus with these options")
    expect(again).to_be_disabled()
    page.locator("[data-step=exact_duplicates]").check()
    page.locator("[data-step=length]").check()
    page.get_by_label("Fewest characters").fill("12")
    page.get_by_label("Fewest characters").press("Tab")
    lab.ready()
    # 49 lines of two kinds; what is left after the duplicates is longer and shorter than twelve characters.
    expect(page.locator("[data-role=cleaning-words]")).to_have_text(re.compile("^48 of the first 49 documents differ"))
    expect(page.locator("corpus-cleaning li", has_text="Remove exact duplicates")).to_contain_text("47 documents")
    expect(page.locator("[data-role=cleaning-samples] li")).to_have_count(10)
    again.click()
    lab.ready()
    expect(page.locator(".corpus first-invitation")).to_contain_text("2 steps of cleaning")
    [first, second] = [one for one in lab.server.call("GET", "corpora")["corpora"] if not one["builtin"]]
    assert (first["cleaning"], second["cleaning"]) == ([], ["exact_duplicates", "length:12-100000"])
    page.locator("[data-role=analyze]").click()
    page.locator("fact-cards [data-role=count]").first.wait_for()
    lab.ready()
    assert lab.server.call("GET", "analyses")["analyses"][0]["documents"] == 1
    # The steps of the new corpus are chosen; a step that cannot be is explained.
    expect(page.locator("[data-step=length]")).to_be_checked()
    expect(page.get_by_label("Fewest characters")).to_have_value("12")
    page.get_by_label("Fewest characters").fill("900000")
    page.get_by_label("Fewest characters").press("Tab")
    expect(page.locator("[data-role=cleaning-words]")).to_contain_text("length:900000-100000")


def test_languages_are_rows_of_a_chart_or_of_a_table(lab: Lab, axe: Axe):
    """All 68 languages of the corpus that comes with the lab are named, in a chart and in a table; it can be cleaned."""
    lab.go("corpus")
    page = lab.page
    page.locator("[data-role=analyze]").click()
    page.locator("fact-cards [data-role=count]").first.wait_for()
    page.get_by_role("tab", name="Languages").click()
    lab.ready()
    names = page.locator("[data-figure=language_premium] .ytick text")
    expect(names).to_have_count(len(lab.server.call("GET", "corpora/udhr")["languages"]))
    first = names.first.text_content()
    # A dot of a language shows its documents, with the tokens of each tokenizer; Inspect counts the same.
    # GPT-2 has every language; of the first one BERT knows too little.
    dots = page.locator("[data-figure=language_premium] .points", has=page.locator("path")).last
    dot = dots.locator("path").first.bounding_box()
    page.mouse.move(dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2)
    expect(page.locator("[data-figure=language_premium] .hoverlayer .hovertext").first).to_contain_text(first)
    page.mouse.down()
    page.mouse.up()
    dialog = page.locator("dialog.examples[open]")
    expect(dialog.locator(".dialog-head")).to_contain_text(f"Examples of {first}")
    expect(dialog.locator("li")).to_have_count(5)
    shown = dialog.locator("li").nth(2)
    counts = [number(text) for text in shown.locator("b").all_inner_texts()]
    text = shown.locator(".example-text").inner_text()
    kept = lab.server.call("GET", "analyses")["analyses"][0]
    ids = [tokenizer["tokenizer"] for tokenizer in lab.server.call("GET", f"analyses/{kept['id']}")["tokenizers"]]
    options = {"add_special_tokens": False, "specials": "text"}
    assert counts == [len(lab.expected(id, text, **options)) for id in ids]
    axe.check_themes(lab, "dialog[open]")
    shown.get_by_role("button", name="Inspect").click()
    expect(page).to_have_url(re.compile("#/inspect"))
    lab.ready()
    assert lab.current_text == text
    lab.go("corpus")
    # The overview has the languages at both ends, and leads to all.
    page.get_by_role("tab", name="Overview").click()
    lab.ready()
    expect(page.locator("[data-figure=premium] .ytick text")).to_have_count(11)
    page.get_by_role("button", name="Show all languages").click()
    lab.ready()
    expect(names.first).to_be_visible()
    page.get_by_role("radio", name="Table").click()
    lab.ready()
    expect(page.locator("language-table tbody tr")).to_have_count(names.count())
    expect(page.locator("[data-figure=language_premium]")).to_be_hidden()
    # A column per tokenizer, the highest of one first.
    assert "as=table" in page.url
    page.get_by_role("button", name="Order by GPT-2").click()
    expect(page.locator("language-table tbody tr").first).to_contain_text(first)
    page.get_by_role("radio", name="All metrics").click()
    lab.ready()
    expect(page.locator("language-table tbody tr")).to_have_count(names.count())
    assert "metric=table" in page.url
    page.get_by_role("tab", name="Settings").click()
    lab.ready()
    page.locator("corpus-cleaning summary").click()
    page.locator("[data-step=nfc]").check()
    page.get_by_role("button", name="Create a corpus with these options").click()
    lab.ready()
    expect(page.locator(".corpus first-invitation")).to_contain_text("1 step of cleaning")
    [cleaned] = [one for one in lab.server.call("GET", "corpora")["corpora"] if not one["builtin"]]
    assert (cleaned["cleaning"], len(cleaned["languages"])) == (["nfc"], 68)


def test_an_added_table_shows_which_columns_were_taken(lab: Lab, axe: Axe):
    lab.go("corpus")
    page = lab.page
    rows = "".join(f"{n},de,Zeile {n}\\n{n},fr,ligne {n}\\n" for n in range(9))
    page.evaluate(
        DROP.replace(
            "'the cat sat on the mat\\n'.repeat(40) + 'the 🦊 dog\\n'.repeat(9)", f"'id,lang,body\\n{rows}'"
        ).replace("cats.txt", "lines.csv")
    )
    expect(page.locator(".corpus first-invitation h2")).to_have_text("lines.csv")
    expect(page.locator("[data-role=text_column]")).to_have_value("body")
    expect(page.locator("[data-role=language_column]")).to_have_value("lang")
    expect(page.locator("details", has_text="First documents").locator("li").first).to_have_text("de Zeile 0")
    lab.ready()
    axe.check_themes(lab, "side-panel")


def test_charts_and_the_report_are_saved(lab: Lab):
    analyzed(lab)
    page = lab.page
    export = page.locator("[data-role=export-analysis]")
    for item, name, start in (
        ("chart-zipf-png", "zipf.png", b"\x89PNG"),
        ("chart-coverage-csv", "coverage.csv", b'"tokenizer","rank"'),
        ("analysis-html", None, b"<!doctype html>"),
    ):
        export.click()
        with page.expect_download() as saved:
            page.locator(f"[data-role={item}]").click()
        assert name is None or saved.value.suggested_filename == name
        assert saved.value.path().read_bytes().startswith(start)

    # All charts as one file.
    id = lab.server.call("GET", "analyses")["analyses"][0]["id"]
    page.locator("[data-role=export-analysis]").click()
    with page.expect_download() as saved:
        page.locator("[data-role=charts-zip]").click()
    assert saved.value.suggested_filename == f"analysis-{id}-charts.zip"
    listed = lab.server.call("GET", f"analyses/{id}/figures")["figures"]
    names = [each["name"] for each in listed if each["reason"] is None]
    with zipfile.ZipFile(saved.value.path()) as file:
        assert file.testzip() is None
        assert file.namelist() == [f"{name}.{format}" for name in names for format in ("png", "svg", "csv")]
        assert file.read("zipf.png").startswith(b"\x89PNG") and b"Rank and frequency" in file.read("zipf.svg")
    assert page.locator("[hidden] > lab-chart").count() == 0
