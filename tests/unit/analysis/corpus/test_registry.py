"""Every number of a result has its words, and the guide has them too."""

from dataclasses import fields

from lab_app.analysis.corpus.registry import BY_NAME, METRICS, markdown
from lab_app.analysis.corpus.result import CorpusResult, LanguageResult, RoundTrip, TokenizerResult, Utf8
from tests.metrics_page import PAGE

# Fields that are no metric: names, sums that metrics are made of, and what only draws a metric.
OTHERS = {
    "tokenizer",
    "name",
    "sha256",
    "vocab_size",
    "unknown_tokens",
    "unknown_characters",
    "not_measured",
    "languages",
}
OTHERS |= {
    "scripts",
    "frequencies",
    "curve",
    "length_histogram",
    "digits",
    "gini_languages",
    "language",
    "script",
    "documents",
}
OTHERS |= {"bytes", "characters", "words", "words_unicode", "premium_lines", "id", "made_at", "elapsed_s", "corpus"}
OTHERS |= {"settings", "versions", "command", "tokenizers"}


def test_every_metric_of_a_result_is_described():
    names = {field.name for each in (TokenizerResult, LanguageResult, CorpusResult) for field in fields(each)} - OTHERS
    for name, parts in (("round_trip", RoundTrip), ("utf8", Utf8)):
        names = (names - {name}) | {f"{name}.{field.name}" for field in fields(parts)}
    assert names | {"lengths.share_above", "digit_f1"} == set(BY_NAME)
    assert len(BY_NAME) == len(METRICS)


def test_the_words_are_complete():
    for metric in METRICS:
        assert all((metric.unit, metric.formula, metric.aggregation)), metric.name
        assert len(metric.how_to_read.split()) > 15 and metric.how_to_read.endswith("."), metric.name


def test_the_guide_has_the_words_of_the_registry():
    assert PAGE.read_text(encoding="utf-8") == markdown(), "python -m tests.metrics_page"
