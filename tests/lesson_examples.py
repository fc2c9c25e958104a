"""Lessons on small texts, which the tests of the page show: `python -m tests.lesson_examples` writes them anew."""

import json
import math
import tempfile
from pathlib import Path
from typing import Any

from lab_app.services.lab import Lab
from lab_app.services.lessons.lessons import lesson_of
from lab_app.services.tokenizers.tokenizers import add_path
from lab_app.settings import Settings

GOLDEN = Path(__file__).parent / "golden" / "lessons.json"
UNIGRAM = "few-words"
TEXTS = {
    "utf8": ("gpt2", "aé日😀"),
    "pipeline": ("bert-base-uncased", "Héllo, World!"),
    "bpe-encode": ("gpt2", "unbelievable 日 tokenizers"),
    "wordpiece-encode": ("bert-base-uncased", "unaffordable 𓀀 words"),
    "unigram-encode": (UNIGRAM, "unbelievable tokens"),
    "bpe-train": ("gpt2", "low low lower newest newest widest"),
    "wordpiece-train": ("bert-base-uncased", "low low lower newest newest widest"),
    "unigram-train": (UNIGRAM, "low low low lower lowest newer newer newest newest widest wider new " * 2),
    "encoders": ("gpt2", "unbelievable tokenizers"),
    "sentencepiece": (UNIGRAM, "un be"),
    "special-tokens": ("bert-base-uncased", "Hello [MASK] world"),
    "chat-template": ("o200k_harmony", "What is <|end|>?"),
    "languages": ("gpt2", ""),
}
"""By lesson: the tokenizer and the text."""
COUNTS = {
    "un": 60,
    "believ": 5,
    "able": 70,
    "be": 40,
    "lie": 40,
    "ble": 60,
    "token": 18,
    "▁token": 24,
    "s": 52,
    "▁": 90,
}
COUNTS |= dict.fromkeys("abeiklnotuv", 30)
"""How often each token of the Unigram tokenizer was met; its score is the logarithm of its share."""


def examples() -> dict[str, Any]:
    """Each lesson: its facts and frames."""
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(Settings(data_dir=Path(folder) / "lab"))
        add_path(lab, unigram_file(Path(folder)), id=UNIGRAM)
        return {name: json.loads(lesson_of(lab, name, *of).json_text()) for name, of in TEXTS.items()}


def unigram_file(folder: Path) -> Path:
    """A tokenizer of few words, small enough that everything it weighs can be seen."""
    total = sum(COUNTS.values())
    vocab = [["<unk>", 0.0], *([token, math.log(times / total)] for token, times in COUNTS.items())]
    mark = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never", "split": True}
    stages = dict.fromkeys(["truncation", "padding", "normalizer", "post_processor"]) | {
        "pre_tokenizer": mark,
        "decoder": mark,
    }
    model = {"type": "Unigram", "unk_id": 0, "byte_fallback": False, "vocab": vocab}
    path = folder / "tokenizer.json"
    path.write_text(json.dumps({"version": "1.0", "added_tokens": [], "model": model, **stages}), encoding="utf-8")
    return path


def golden_text() -> str:
    return json.dumps(examples(), ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    GOLDEN.write_text(golden_text(), encoding="utf-8")
