"""A small result of an analysis, made by hand: three tokenizers, three languages, one tokenizer that knows no Thai."""

from dataclasses import fields
from itertools import accumulate
from typing import Any, TypeVar

from lab_app.analysis.corpus.result import (
    AnalysisSettings,
    CorpusFacts,
    CorpusResult,
    Curve,
    FrequencyRow,
    LanguageResult,
    LengthHistogram,
    Lengths,
    RarefactionPoint,
    SkippedDocument,
    TokenizerResult,
    TokenRatio,
    TokenRatios,
    Versions,
    Zipf,
)

T = TypeVar("T")
LANGUAGES = ("en", "th", "fr")
TOKENS = {"bert": (100, 20, 150), "gpt2": (100, 830, 180), "<i>c</i>": (100, 400, 140)}
"""Tokens of each language. The first tokenizer makes one unknown token of each Thai word."""
COUNTS = {"bert": [90, 60, 50, 40, 20, 10], "gpt2": [500, 300, 200, 100, 10], "<i>c</i>": [300, 200, 100, 40]}
HOSTILE = "<img src=x onerror=alert(1)>"
EDGES = [0, 4, 8, 12]


def sample(tokenizers: tuple[str, ...] = tuple(TOKENS)) -> CorpusResult:
    """The result for some of the tokenizers."""
    return CorpusResult(
        id=1,
        made_at="2026-01-02T03:04:05+00:00",
        elapsed_s=0.1,
        corpus=CorpusFacts(
            id="pud",
            title="pud, 3 languages",
            documents=9,
            bytes=900,
            characters=700,
            sha256="ab" * 32,
            languages=list(LANGUAGES),
            is_parallel=True,
            cleaning={"urls": 2, "nfc": 0},
            sampled=None,
            empty=0,
            replaced_characters=4,
            skipped=1,
            skipped_documents=[SkippedDocument("en.txt, line 7", "longer than 16 MB")],
        ),
        settings=AnalysisSettings(["tokens", "words"], "en", [8], 2.5, 20, None, 0),
        versions=Versions("0.1", "abc", "engine", "3.12"),
        command="tokenlab analyze pud -t bert -t gpt2",
        tokenizers=[one(name) for name in tokenizers],
        agreement=[[1.0 if a == b else 0.5 for a in tokenizers] for b in tokenizers] if len(tokenizers) > 1 else None,
        not_measured={},
        token_ratios=TokenRatios(
            [
                TokenRatio(one, other, len(one) / 4, (0.9, 1.1) if one == "gpt2" else (1.4, 2.5))
                for number, one in enumerate(tokenizers)
                for other in tokenizers[:number]
            ],
            level=0.95,
            resamples=1000,
            groups=9,
            seed=0,
        ),
    )


def filled(made: type[T], **values: Any) -> T:
    """An object with these fields; all others were not measured."""
    return made(**{field.name: None for field in fields(made)} | values)


def one(name: str) -> TokenizerResult:
    """One tokenizer of the result."""
    counts = COUNTS[name]
    total = sum(counts)
    cumulative = [covered / total for covered in accumulate(counts)]
    unknown = 0.2 if name == "bert" else 0.0
    return filled(
        TokenizerResult,
        tokenizer=name,
        name=name,
        sha256="cd" * 32,
        tokens=total,
        types=len(counts),
        vocab_size=1000,
        never_seen=1000 - len(counts),
        bytes_per_token=900 / total,
        characters_per_token=700 / total,
        fertility=1.5,
        continued_word_rate=0.25,
        fertility_unicode=1.4,
        continued_word_rate_unicode=0.2,
        milestones={
            str(percent): 1 + next(at for at, share in enumerate(cumulative) if share >= percent / 100)
            for percent in (50, 75, 90, 95, 99)
        },
        lengths=Lengths(5.5, 5, 2.0, 1, 2, 4, 7, 9, 14, 14, {"8": 0.25}),
        length_histogram=LengthHistogram(EDGES, [2, 4, 2], 1),
        zipf=Zipf(2.0, (1.9, 2.1), 10, 4, 0.02, 1.0),
        renyi_entropy=2.1,
        renyi_efficiency=0.21,
        renyi_efficiency_types=0.8,
        vocabulary_utilisation=len(counts) / 1000,
        average_rank=1.9,
        rarefaction=[RarefactionPoint(1, 1.0), RarefactionPoint(total, float(len(counts)))],
        unknown_tokens=int(unknown * total),
        unknown_characters=0,
        unknown_rate=unknown,
        unknown_character_rate=unknown,
        gini=0.2,
        languages=[language(name, number) for number in range(len(LANGUAGES))],
        scripts=[],
        frequencies=[row(name, rank) for rank in range(1, len(counts) + 1)],
        curve=Curve(list(range(1, len(counts) + 1)), counts, cumulative),
        not_measured={"round_trip": "not asked for"},
    )


def language(name: str, number: int) -> LanguageResult:
    """One tokenizer on one language; only the first tokenizer's Thai is unknown."""
    tokens = TOKENS[name][number]
    unknown = 0.95 if (name, number) == ("bert", 1) else 0.0
    return filled(
        LanguageResult,
        language=LANGUAGES[number],
        script=("Latin", "Thai", "Latin")[number],
        documents=3,
        bytes=300,
        characters=200,
        words=80,
        words_unicode=75,
        tokens=tokens,
        bytes_per_token=300 / tokens,
        characters_per_token=200 / tokens,
        fertility=tokens / 80,
        continued_word_rate=0.25,
        fertility_unicode=tokens / 75,
        continued_word_rate_unicode=0.2,
        unknown_rate=unknown,
        unknown_character_rate=unknown,
        premium=tokens / TOKENS[name][0],
        parity=TOKENS[name][0] / tokens,
        premium_lines=3,
        not_measured={},
    )


def row(name: str, rank: int) -> FrequencyRow:
    """A frequent token: the first of the first tokenizer is its unknown token, the second of each is hostile."""
    counts = COUNTS[name]
    is_unknown = (name, rank) == ("bert", 1)
    token = "[UNK]" if is_unknown else HOSTILE if rank == 2 else " x"
    return FrequencyRow(
        rank=rank,
        id=100 + rank,
        token=token,
        text=token,
        bytes=token.encode().hex(),
        count=counts[rank - 1],
        share=counts[rank - 1] / sum(counts),
        cumulative=sum(counts[:rank]) / sum(counts),
        unknown=is_unknown,
    )
