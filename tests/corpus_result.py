"""A result of an analysis, made from real counts of a small parallel text: the example that charts, reports and pages share.

`tests/golden/corpus_result.json` is this result as JSON. `python -m tests.corpus_result` writes it again.
"""

import json
from pathlib import Path

from lab_app.analysis.corpus import agreement
from lab_app.analysis.corpus.result import AnalysisSettings, CorpusFacts, CorpusResult, Versions
from lab_app.analysis.corpus.summary import Languages, Subject, summaries
from lab_app.analysis.options import CONTEXT_LENGTHS
from lab_app.engine import Tokenizer
from lab_app.json_text import json_text
from tests.conftest import BERT_VOCAB
from tests.naive_corpus import counted

GOLDEN = Path(__file__).resolve().parent / "golden" / "corpus_result.json"

LINES = {
    "English": [
        "All human beings are born free and equal in dignity and rights.",
        "In 1948 the assembly proclaimed 30 articles, 1234567 copies were printed.",
        "Everyone has the right to life, liberty and security of person.",
        "No one shall be held in slavery or servitude.",
    ],
    "Deutsch": [
        "Alle Menschen sind frei und gleich an Würde und Rechten geboren.",
        "1948 verkündete die Versammlung 30 Artikel, 1234567 Exemplare wurden gedruckt.",
        "Jeder hat das Recht auf Leben, Freiheit und Sicherheit der Person.",
        "Niemand darf in Sklaverei oder Leibeigenschaft gehalten werden.",
    ],
    "हिन्दी": [
        "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।",
        "1948 में सभा ने 30 अनुच्छेद घोषित किए, 1234567 प्रतियाँ छपीं।",
        "प्रत्येक व्यक्ति को जीवन, स्वाधीनता और वैयक्तिक सुरक्षा का अधिकार है।",
        "",
    ],
    "ไทย": [
        "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในศักดิ์ศรีและสิทธิ",
        "ในปี 1948 ที่ประชุมประกาศ 30 ข้อ พิมพ์ 1234567 ฉบับ",
        "ทุกคนมีสิทธิในการมีชีวิต เสรีภาพ และความมั่นคงแห่งบุคคล",
        "บุคคลใดจะถูกบังคับให้เป็นทาสไม่ได้",
    ],
}
SCRIPTS = ("Latin", "Latin", "Devanagari", "Thai")
SETTINGS = AnalysisSettings(
    measures=["tokens", "words", "unknown", "digits", "round_trip", "agreement"],
    reference_language="English",
    context_lengths=list(CONTEXT_LENGTHS),
    alpha=2.5,
    top=20,
    sample_bytes=None,
    seed=0,
)


def example() -> CorpusResult:
    """Three tokenizers on four lines in four languages, one of which lacks a line."""
    subjects = [
        Subject("bert-base-uncased", "BERT base, uncased", "1" * 64, Tokenizer.from_file(BERT_VOCAB)),
        Subject("gpt2", "GPT-2", "2" * 64, Tokenizer.builtin("gpt2")),
        Subject("cl100k_base", "cl100k_base", "3" * 64, Tokenizer.builtin("cl100k_base")),
    ]
    documents = [line for lines in LINES.values() for line in lines]
    of = [language for language, lines in enumerate(LINES.values()) for _ in lines]
    counts = counted([each.tokenizer for each in subjects], documents, of, parallel=True)
    languages = Languages(list(LINES), SCRIPTS, reference=0)
    return CorpusResult(
        id=1,
        made_at="2026-01-01T00:00:00+00:00",
        elapsed_s=0.25,
        corpus=CorpusFacts(
            id="four-lines",
            title="Four lines",
            documents=counts.documents,
            bytes=counts.bytes,
            characters=int(counts.text_sums["characters"].sum()),
            sha256="0" * 64,
            languages=list(LINES),
            is_parallel=True,
            cleaning={},
            sampled=None,
            empty=0,
            replaced_characters=0,
            skipped=0,
            skipped_documents=[],
        ),
        settings=SETTINGS,
        versions=Versions(lab="1.0.0", commit=None, engine="example", python="3.11"),
        command="tokenlab analyze four-lines -t bert-base-uncased -t gpt2 -t cl100k_base",
        tokenizers=summaries(counts, subjects, languages, SETTINGS),
        agreement=agreement.agreement(counts.shared, counts.either),
        not_measured={},
    )


def golden_text() -> str:
    """The example as it is kept."""
    return json.dumps(json.loads(json_text(example())), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    GOLDEN.write_text(golden_text(), encoding="utf-8")
