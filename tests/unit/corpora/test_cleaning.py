"""Each step of cleaning on examples worked by hand; hostile text; counts that add up."""

import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_app.corpora.builtin import udhr
from lab_app.corpora.cleaning.duplicates import FirstOnly
from lab_app.corpora.cleaning.steps import NAMES, STEPS, function
from lab_app.corpora.describe import describe
from lab_app.corpora.partitions import partitions
from lab_app.corpora.reading import batches
from lab_app.corpora.report import ReadReport
from lab_app.errors import BadValue
from lab_app.services.corpora.cleaning import preview
from tests.unit.corpora.test_reading import read

EXAMPLES = [
    ("mojibake", "It costs Â£5 â€“ schÃ¶n", "It costs £5 – schön"),
    ("mojibake", "naïve café “quotes” 日本語", "naïve café “quotes” 日本語"),
    ("html", "<h1>Title</h1><p>a<br>b</p><style>p {}</style><!-- c -->", "Title\na\nb"),
    ("html", "1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
    ("html", "Tom &amp; Jerry &lt;b&gt; &eacute;", "Tom & Jerry <b> é"),
    ("html", "<ul><li>one<li>two</ul>", "one\ntwo"),
    ("html", "no markup", "no markup"),
    ("html", "<script>x", ""),
    ("urls", "https://a.b/c?d=e#f, HTTP://X.Y and ftp://z!", "<URL>, <URL> and <URL>!"),
    ("urls", "no.url http:// here", "no.url http:// here"),
    ("urls", "<a href='http://a.b'>", "<a href='<URL>'>"),
    ("emails", "a@b.org, x.y-z+w@mail.co.uk; a@b and @c.de", "<EMAIL>, <EMAIL>; a@b and @c.de"),
    ("control_characters", "a\0b\x7f\x85\u200d\tc\r\n", "ab\u200d\tc\n"),
    ("white_space", "\u3000a\r\n \n b\u00a0\u2003c ", "a\nb c"),
    ("nfc", "e\u0301 ﬁ Ａ", "é ﬁ Ａ"),
    ("nfkc", "e\u0301 ﬁ Ａ", "é fi A"),
    ("length:2-3", "🙂🙂🙂", "🙂🙂🙂"),
    ("length:2-3", "a", None),
    ("length:0-3", "four", None),
]


@pytest.mark.parametrize(("step", "before", "after"), EXAMPLES)
def test_steps_do_what_their_name_says(step, before, after):
    assert function(step)(before) == after
    if after is not None:
        assert function(step)(after) == after or step == "html", "a second time changes nothing"


def test_every_step_has_an_example_and_is_described():
    assert {step.partition(":")[0] for step, _, _ in EXAMPLES} | {"exact_duplicates"} == set(NAMES)
    assert all(step.label and step.help for step in STEPS)


@settings(max_examples=60, deadline=None)
@given(st.text(), st.sampled_from([step.name for step in STEPS if not step.takes]))
def test_any_text_can_be_cleaned(text, step):
    cleaned = function(step)(text)
    cleaned.encode()
    if step in ("nfc", "nfkc"):
        assert cleaned == unicodedata.normalize(step.upper(), text)


@pytest.mark.parametrize("step", ["urls", "emails", "white_space", "control_characters", "html"])
def test_long_hostile_text_is_cleaned_in_linear_time(step):
    for piece in ("a.", "a@", "www.", "http://", " ", "\n ", "a@b.", "&#", "<p>", "<a "):
        assert function(step)(piece * 50_000 + "@") is not None  # quadratic work would take minutes


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (["htm"], 'no step of cleaning "htm": steps are: mojibake, html'),
        (["html:x"], '"html" takes no argument'),
        (["length"], "write length:MIN-MAX"),
        (["length:9-2"], "write length:MIN-MAX"),
    ],
)
def test_wrong_steps_are_refused(tmp_path, steps, message):
    (tmp_path / "a.txt").write_text("text")
    with pytest.raises(BadValue, match=message):
        describe([tmp_path], cleaning=steps)


def test_steps_are_applied_in_order_and_counted_however_the_corpus_is_divided(tmp_path):
    (tmp_path / "a.txt").write_text("<b>one</b>\n<i> </i>\nhttp://x.y\n<p>much too long</p>\ntwo\n" * 20)
    corpus = describe([tmp_path], cleaning=["html", "urls", "length:1-9"])
    for size in (1e6, 300, 40):
        found, report = read(corpus, size, 64)
        assert found == ["one", "<URL>", "two"] * 20
        # White space alone becomes an empty document, which length:1-9 removes.
        assert report.cleaning == {"html": 60, "urls": 20, "length:1-9": 40}
        assert report.documents == 60
    emptied, report = read(replace(corpus, cleaning=("html",)), 100)
    assert len(emptied) == 80 and report.empty == 20


def test_cleaning_keeps_languages_and_the_lines_of_a_parallel_corpus(tmp_path):
    (tmp_path / "en.txt").write_text("<p>\none\n")
    (tmp_path / "fr.txt").write_text("zéro\nun\n")
    corpus = describe([tmp_path], parallel=True, cleaning=["html"])
    found = [
        (text, language)
        for part in partitions(corpus)
        for batch in batches(corpus, part)
        for text, language in zip(batch.strings(), batch.languages.tolist(), strict=True)
    ]
    assert found == [("", 0), ("one", 0), ("zéro", 1), ("un", 1)]
    with pytest.raises(BadValue, match="line N of a parallel corpus must stay line N"):
        describe([tmp_path], parallel=True, cleaning=["length:1-9"])


def test_the_preview_shows_before_and_after_and_counts(tmp_path):
    def preview_of(text, steps):
        (tmp_path / "a.txt").write_text(text)
        return preview(describe([tmp_path]), steps)

    found = preview(replace(udhr(), is_parallel=False), ["length:30-100"])
    assert found.documents == 2000 and 0 < found.changed == found.steps[0].documents
    long = "x" * 300 + " a@b.org " + "y" * 600
    (sample,) = preview_of(long, ["emails"]).samples
    before, after = sample.before, sample.after
    assert before.startswith("x" * 99) and " a@b.org y" in before and " <EMAIL> y" in after
    assert len(before) == 500
    assert preview_of("short", ["length:9-10"]).samples[0].after is None


def test_duplicates_are_removed_from_the_whole_corpus(tmp_path):
    (tmp_path / "a.txt").write_text("one\ntwo\n<b>one</b>\n" * 50)
    (tmp_path / "b.txt").write_text("two\nthree\none \n")
    for steps, expected in (
        (["exact_duplicates"], ["one", "two", "<b>one</b>", "three", "one "]),
        (["html", "white_space", "exact_duplicates"], ["one", "two", "three"]),
        (["exact_duplicates", "html"], ["one", "two", "one", "three", "one "]),
    ):
        corpus = describe([tmp_path], cleaning=steps)
        for size in (1e6, 20):
            found, report = read(corpus, size, 30)
            assert found == expected
            assert report.cleaning["exact_duplicates"] == 153 - len(expected)
            assert report.read_bytes == corpus.bytes
    with pytest.raises(ValueError, match="needs the whole corpus"):
        list(batches(corpus, partitions(replace(corpus, cleaning=()), 300)[0]))
    with pytest.raises(BadValue, match="line N"):
        describe([tmp_path], parallel=True, cleaning=["exact_duplicates"])


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 60)), st.integers(1, 5))
def test_duplicates_are_those_of_a_set(numbers, recent):
    first, seen = FirstOnly(recent), set()
    for number in numbers:
        text = str(number)
        assert first(text) == (None if text in seen else text)
        seen.add(text)
    assert sum(map(len, first._sorted)) + len(first._recent) == len(seen)
    assert len(first._sorted) <= 7


def test_too_many_documents_to_remember_are_refused():
    first = FirstOnly(most=2)
    assert [first(text) for text in "aabb"] == ["a", None, "b", None]
    with pytest.raises(BadValue, match="remembers 2 documents"):
        first("c")


def test_reports_of_cleaning_add_up():
    report = ReadReport(cleaning={"html": 2})
    report.merge(ReadReport(cleaning={"html": 1, "nfc": 0}))
    assert report.cleaning == {"html": 3, "nfc": 0}
