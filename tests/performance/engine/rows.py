"""The table: each row with its tokenizers, its texts, the libraries to compare with, and the floor that it must reach.

Not here: how a row is measured (`child`), which files a tokenizer has (`material`), whether a floor is met (`verdict`).
"""

from dataclasses import dataclass
from typing import Literal

from lab_app.benchmarks.cost.inputs import PATHOLOGICAL

OURS = "tokenlab"
NEXT = "tokenizers-1.0"
BYTE_LEVEL = ("cl100k_base", "o200k_base")
TEXTS = ("english", "code", "multilingual", "generated")
"""The last one stands for the others where the test data are not there."""
MIXED = "mixed"
WORST_BYTES = 100_000
WORST_MODELS = ("gpt2", *BYTE_LEVEL, "bert-base-uncased", "t5.json", "t5.model", "llama2.json", "llama2.model")

Unit = Literal["MB/s", "us per call", "ms", "MB"]
Comparison = Literal["times_faster", "times_slower", "most"]


@dataclass(frozen=True)
class Floor:
    """What a row must reach. `of` names what it is compared with: the fastest of those that were measured counts."""

    comparison: Comparison
    """`times_faster`: at least `limit` times their speed. `times_slower`: at most `limit` times their time. `most`: at most
    `limit` in the unit of the row."""
    limit: float
    of: tuple[str, ...] = ()

    def words(self, unit: str) -> str:
        """The floor in words.

        >>> Floor("times_faster", 1.1, ("gigatoken",)).words("MB/s")
        'at least 1.1 x gigatoken'
        >>> Floor("most", 30).words("MB")
        'at most 30 MB'
        """
        if self.comparison == "most":
            return f"at most {self.limit:g} {unit}"
        if self.comparison == "times_slower":
            return f"at most {self.limit:g} x the time of {self.of[0]}"
        named = self.of[0] if len(self.of) == 1 else "the best of " + ", ".join(self.of)
        return f"at least {self.limit:g} x {named}"


@dataclass(frozen=True)
class Case:
    """One measurement: one tokenizer, one text, ours and those it is compared with."""

    row: str
    tokenizer: str
    text: str
    """A name of `texts`, or of an input that breaks encoders."""
    measure: str
    """A name of `child.MEASURES`."""
    floor: Floor | None = None
    unit: Unit = "MB/s"
    peers: tuple[str, ...] | None = None
    """None: every library that reads the tokenizer."""
    megabytes: float = 1.0
    """Of the size of texts that the run was asked for."""

    @property
    def title(self) -> str:
        """The row in words."""
        return TITLES[self.row]

    def named(self) -> tuple[str, ...]:
        """The libraries that the floor names."""
        return self.floor.of if self.floor else ()


TITLES = {
    "warm": "Ids as numpy, warm",
    "cold": "First call of a fresh tokenizer",
    "unseen": "First pass over unseen text, tables built",
    "documents": "Documents of 4 kB",
    "spans": "Ids and spans",
    "bert": "BERT",
    "t5": "T5 (Unigram)",
    "llama2": "Llama 2 (SentencePiece BPE)",
    "others": "Other tokenizer.json files beside cl100k_base",
    "calls": "One call from Python",
    "lists": "Lists of Python ints",
    "threads": "Batches over 2 threads",
    "load": "Load and first call",
    "memory": "Memory over the bare process after 4 MB of text",
    "worst": "Inputs that break encoders, 100 kB",
    "linear": "Inputs that break encoders, time from 1 to 10 MB",
    "pattern": "Another split pattern",
}
"""Rows by name, in the order of the table."""


def cases() -> list[Case]:
    """The whole table, in order."""
    found = [
        *_byte_level(),
        *_documents(),
        *(Case("spans", name, text, "spans", _within(1.15, "ids alone"), peers=())
          for name in (*BYTE_LEVEL, "bert-base-uncased") for text in TEXTS),
        *_families(),
        *(Case("others", name, text, "beside", _within(1.3, "cl100k_base"), peers=())
          for name in ("qwen2", "deepseek", "gemma", "xlm-r", "clip") for text in TEXTS),
        Case("calls", "cl100k_base", "20 bytes", "calls_20", Floor("most", 0.4), "us per call"),
        Case("calls", "cl100k_base", "1 kB", "calls_1000", Floor("most", 1.5), "us per call"),
        *(Case("lists", "cl100k_base", text, "lists", _faster(1.1, "fastokens"), peers=("fastokens", "tiktoken", "splintr"))
          for text in TEXTS),
        Case("threads", "cl100k_base", MIXED, "threads", _faster(1.8, "1 thread"), peers=()),
        Case("load", "gpt2", "short", "load", Floor("most", 40), "ms", ("gigatoken", "tiktoken", NEXT)),
        Case("load", "o200k_base", "short", "load", Floor("most", 120), "ms", ("gigatoken", "tiktoken", NEXT)),
        Case("memory", "cl100k_base", "multilingual", "memory", Floor("most", 30), "MB", ("gigatoken", "fastokens", "tiktoken", NEXT)),
        *(Case("worst", name, kind.name, "worst", Floor("most", 5), "ms", ())
          for name in WORST_MODELS for kind in PATHOLOGICAL),
        *(Case("linear", name, kind.name, "linear", _within(1.5, "1 MB"), peers=())
          for name in ("cl100k_base", "bert-base-uncased", "t5.model", "llama2.model") for kind in PATHOLOGICAL),
        *(Case("pattern", name, text, "warm", _faster(5, "tokenizers"), peers=("tokenizers", NEXT), megabytes=0.5)
          for name in ("pattern.words", "pattern.look_ahead") for text in TEXTS),
    ]  # fmt: skip
    rows = list(TITLES)
    tokenizers = list(dict.fromkeys(case.tokenizer for case in found))
    return sorted(found, key=lambda case: (rows.index(case.row), tokenizers.index(case.tokenizer)))


def _byte_level() -> list[Case]:
    found = [Case("warm", "gpt2", text, "warm") for text in TEXTS]
    for name in BYTE_LEVEL:
        for text in TEXTS:
            warm = 1.4 if text == "multilingual" else 1.1
            found.append(Case("warm", name, text, "warm", _faster(warm, "gigatoken")))
    for name in ("gpt2", *BYTE_LEVEL):
        for text in TEXTS:
            cold = _faster(1.7, "gigatoken", NEXT, "quicktok") if name in BYTE_LEVEL else None
            unseen = _faster(1.3, "fastokens", "gigatoken") if name in BYTE_LEVEL else None
            fast = ("gigatoken", "fastokens", "quicktok", NEXT)
            found.append(Case("cold", name, text, "cold", cold, peers=fast))
            found.append(
                Case("unseen", name, text, "unseen", unseen, peers=("gigatoken", "fastokens", NEXT), megabytes=2)
            )
    return found


def _documents() -> list[Case]:
    peers = ("gigatoken", "fastokens", NEXT)
    return [
        Case("documents", name, MIXED, measure, _faster(1.5, "gigatoken"), peers=peers)
        for name in BYTE_LEVEL
        for measure in ("documents_new", "documents_again")
    ]


def _families() -> list[Case]:
    found = []
    for text in TEXTS:
        for measure in ("warm", "cold"):
            bert = _faster(4, "model2vec-rs", "splintr", "tokie")
            found.append(Case("bert", "bert-base-uncased", text, measure, bert, peers=_unless_cold(measure, bert)))
            unigram = _faster(2.5, "splintr", "tokie")
            llama = _faster(1.1, NEXT) if measure == "warm" else _faster(2.5, "gigatoken", "fastokens")
            for kind in ("json", "model"):
                found.append(Case("t5", f"t5.{kind}", text, measure, unigram, peers=_unless_cold(measure, unigram)))
                found.append(Case("llama2", f"llama2.{kind}", text, measure, llama, peers=_unless_cold(measure, llama)))
    return found


def _unless_cold(measure: str, floor: Floor) -> tuple[str, ...] | None:
    """Every library warm; cold, those of the floor alone, since each round loads them anew."""
    return floor.of if measure == "cold" else None


def _faster(limit: float, *of: str) -> Floor:
    return Floor("times_faster", limit, of)


def _within(limit: float, of: str) -> Floor:
    return Floor("times_slower", limit, (of,))
