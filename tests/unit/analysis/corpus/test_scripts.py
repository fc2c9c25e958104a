import json
from pathlib import Path

import pytest

from lab_app.analysis.corpus.scripts import language_scripts, script_of
from lab_app.corpora.describe import describe
from lab_app.corpora.scan import scan


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Grüße", "Latin"),
        ("Ελληνικά", "Greek"),
        ("人人生而自由，在尊严和权利上一律平等。", "Han"),
        ("すべての人間は、生まれながらにして自由であり", "Japanese"),
        ("모든 인간은", "Hangul"),
        ("सभी मनुष्यों", "Devanagari"),
        ("כל בני אדם", "Hebrew"),
        ("มนุษย์ทั้งหลาย", "Thai"),
        ("12 + 3 = 15", None),
    ],
)
def test_the_script_of_a_text(text: str, script: str | None):
    assert script_of(text) == script


def test_the_scripts_of_a_table_with_a_language_column(tmp_path: Path):
    rows = [{"text": "привет", "lang": "ru"}, {"text": "hello", "lang": "en"}, {"text": "42", "lang": "none"}]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    corpus = scan(describe([path], language_column="lang"))[0]
    assert dict(zip(corpus.languages, language_scripts(corpus), strict=True)) == {
        "ru": "Cyrillic",
        "en": "Latin",
        "none": None,
    }


def test_a_corpus_without_languages_is_not_read(tmp_path: Path):
    path = tmp_path / "a.txt"
    path.write_text("text\n", encoding="utf-8")
    corpus = describe([path])
    path.unlink()
    assert language_scripts(corpus) == []
