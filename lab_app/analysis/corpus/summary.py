"""Makes the result of each tokenizer out of its counts: calls the metrics, and says why one is missing.

Not here: the formulas (one file each), reading and counting (`lab_app.services.analyses.analyses`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from lab_app.analysis.corpus import boundaries, coverage, gini, parity, rarefaction, renyi, vocabulary_use
from lab_app.analysis.corpus.counts import CorpusCounts, TokenizerCounts, ratio
from lab_app.analysis.corpus.frequencies import frequency_rows
from lab_app.analysis.corpus.language import NOT_COUNTED, language_result, ratios
from lab_app.analysis.corpus.lengths import histogram, histogram_edges, lengths, percentile
from lab_app.analysis.corpus.result import (
    AnalysisSettings,
    Digits,
    LanguageResult,
    LengthHistogram,
    RoundTrip,
    TokenizerResult,
    Utf8,
    Zipf,
)
from lab_app.analysis.corpus.zipf import zipf
from lab_app.engine import DecodeError, Tokenizer

T = TypeVar("T")
NOT_PARALLEL = "the corpus is not parallel: line N would need the same meaning in every language"


@dataclass(frozen=True)
class Subject:
    """A tokenizer under analysis."""

    id: str
    name: str
    sha256: str | None
    tokenizer: Tokenizer


@dataclass(frozen=True)
class Languages:
    """The languages of the counts, in their order. An empty corpus of names is one unnamed language."""

    names: Sequence[str]
    scripts: Sequence[str | None]
    reference: int | None
    """Index of the reference language; None if the text is not parallel."""


def summaries(
    counts: CorpusCounts, subjects: Sequence[Subject], languages: Languages, settings: AnalysisSettings
) -> list[TokenizerResult]:
    """The result of each tokenizer, in the order of `subjects`, which is that of `counts.tokenizers`."""
    edges = shared_edges(counts.tokenizers)
    return [
        _Summary(counts, each, subject, languages, settings, edges).result()
        for each, subject in zip(counts.tokenizers, subjects, strict=True)
    ]


def shared_edges(tokenizers: Sequence[TokenizerCounts]) -> list[int]:
    """Edges of the bins of lengths for all tokenizers: up to the largest 99th percentile, longer documents overflow."""
    highest = [percentile(each.lengths, each.documents, 99) for each in tokenizers if each.lengths.size]
    return histogram_edges(max(highest, default=0))


class _Summary:
    """One tokenizer. Methods name what they lack in `missing`."""

    def __init__(
        self,
        corpus: CorpusCounts,
        counts: TokenizerCounts,
        subject: Subject,
        languages: Languages,
        settings: AnalysisSettings,
        edges: Sequence[int],
    ) -> None:
        self._corpus = corpus
        self._counts = counts
        self._subject = subject
        self._languages = languages
        self._settings = settings
        self._edges = edges
        self._missing: dict[str, str] = {}
        self._sums = {name: int(each.sum()) for name, each in (corpus.text_sums | counts.sums).items()}

    def result(self) -> TokenizerResult:
        """All metrics."""
        occurrences = self._counts.counts
        tokens, types = int(occurrences.sum()), int(np.count_nonzero(occurrences))
        tokenizer, vocab_size = self._subject.tokenizer, self._subject.tokenizer.vocab_size
        if not tokens:
            self._lack("there are no tokens", "milestones", "renyi_entropy", "renyi_efficiency", "average_rank")
        elif types < 2:
            self._lack("there is only one type", "renyi_efficiency_types")
        of_all, missing = ratios(self._sums)
        self._missing |= missing
        found = self._digits()
        return TokenizerResult(
            tokenizer=self._subject.id,
            name=self._subject.name,
            sha256=self._subject.sha256,
            tokens=tokens,
            types=types,
            vocab_size=vocab_size,
            never_seen=int(never_seen(tokenizer, occurrences).size),
            normalised_sequence_length=self._known(
                "normalised_sequence_length",
                ratio(tokens, int(self._corpus.tokenizers[0].counts.sum())),
                "the first tokenizer has no tokens",
            ),
            **of_all,
            milestones=coverage.milestones(occurrences),
            lengths=self._known(
                "lengths",
                lengths(self._counts.lengths, self._counts.documents, self._settings.context_lengths),
                "there are no documents",
            ),
            length_histogram=self._histogram(),
            zipf=self._zipf(),
            renyi_entropy=renyi.renyi_entropy(occurrences, self._settings.alpha),
            renyi_efficiency=renyi.renyi_efficiency(occurrences, self._settings.alpha, vocab_size),
            renyi_efficiency_types=renyi.renyi_efficiency(occurrences, renyi.PACKAGE_ALPHA, types),
            vocabulary_utilisation=vocabulary_use.vocabulary_utilisation(types, vocab_size),
            average_rank=vocabulary_use.average_rank(occurrences),
            rarefaction=rarefaction.rarefaction(occurrences),
            unknown_tokens=self._sums.get("unknown_tokens"),
            unknown_characters=self._sums.get("unknown_characters"),
            round_trip=self._round_trip(),
            utf8=self._utf8(tokens),
            digits=found,
            digit_f1=None if found is None else found.f1,
            space_boundary_rate=self._spaces(),
            gini=self._gini(),
            gini_languages=None
            if self._counts.parallel is None
            else len(parity.known_languages(self._counts.parallel)),
            languages=self._by_language(),
            scripts=self._by_script(),
            frequencies=frequency_rows(tokenizer, occurrences, 0, self._settings.top),
            curve=coverage.curve(occurrences),
            not_measured=self._missing,
        )

    def _lack(self, reason: str, *names: str) -> None:
        for name in names:
            self._missing.setdefault(name, reason)

    def _known(self, name: str, value: T | None, reason: str) -> T | None:
        """`value`, whose absence has a reason."""
        if value is None:
            self._lack(reason, name)
        return value

    def _counted(self, measure: str, keys: Sequence[str], *names: str) -> bool:
        """Whether a measure was counted; the metrics `names` are missing without it."""
        found = all(key in self._sums for key in keys)
        if not found:
            self._lack(NOT_COUNTED.format(measure), *names)
        return found

    def _histogram(self) -> LengthHistogram | None:
        if not self._counts.lengths.size:
            self._lack("there are no documents", "length_histogram")
            return None
        return histogram(self._counts.lengths, self._counts.documents, self._edges)

    def _zipf(self) -> Zipf | None:
        found = zipf(self._counts.counts)
        if isinstance(found, str):
            self._lack(found, "zipf")
            return None
        return found

    def _round_trip(self) -> RoundTrip | None:
        keys = ("exact_documents", "nfc_documents", "stable_documents")
        if not self._counted("round_trip", keys, "round_trip"):
            return None
        if not self._corpus.documents:
            self._lack("there are no documents", "round_trip")
            return None
        return RoundTrip(*(self._sums[key] / self._corpus.documents for key in keys))

    def _utf8(self, tokens: int) -> Utf8 | None:
        keys = ("whole_character_tokens", "crossing_tokens", "split_characters")
        if not self._counted("utf8", keys, "utf8"):
            return None
        if not tokens:
            self._lack("there are no tokens", "utf8")
            return None
        whole, crossing, split = (self._sums[key] for key in keys)
        several = self._sums.get("multibyte_characters")
        rate = self._known(
            "utf8.split_character_rate", ratio(split, several), "the text has no character of several bytes"
        )
        return Utf8(whole / tokens, crossing / tokens, rate)

    def _digits(self) -> Digits | None:
        keys = ("digit_true", "digit_predicted", "digit_expected")
        if not self._counted("digits", keys, "digits", "digit_f1"):
            return None
        found = boundaries.digits(*(self._sums[key] for key in keys))
        self._known("digit_f1", found.f1, "the text has no number of four digits, and no boundary inside a shorter one")
        return found

    def _spaces(self) -> float | None:
        if not self._counted("spaces", ("space_boundaries", "space_runs"), "space_boundary_rate"):
            return None
        return self._known(
            "space_boundary_rate",
            ratio(self._sums["space_boundaries"], self._sums["space_runs"]),
            "the text has no white space",
        )

    def _gini(self) -> float | None:
        counts = self._counts.parallel
        if counts is None:
            self._lack(NOT_PARALLEL, "gini")
            return None
        if not counts.complete_lines:
            names, lines = self._languages.names, counts.lines.diagonal().tolist()
            lacking = [name for name, of_it in zip(names, lines, strict=True) if not of_it]
            empty = ": there is no text in " + ", ".join(lacking) if lacking else ""
            self._lack("no line is in every language" + empty, "gini")
            return None
        known = parity.known_languages(counts)
        reason = f"fewer than {gini.FEWEST} languages have at most {parity.MOST_UNKNOWN_PERCENT} % unknown characters"
        return self._known("gini", gini.gini(counts.complete_tokens[known].tolist()), reason)

    def _by_language(self) -> list[LanguageResult]:
        if not self._languages.names:
            return []
        return [self._language(at, name) for at, name in enumerate(self._languages.names)]

    def _language(self, at: int, name: str) -> LanguageResult:
        sums = {key: int(each[at]) for key, each in (self._corpus.text_sums | self._counts.sums).items()}
        found = language_result(name, self._languages.scripts[at], sums)
        counts, reference = self._counts.parallel, self._languages.reference
        if counts is None or reference is None:
            missing = found.not_measured | {"premium": NOT_PARALLEL, "parity": NOT_PARALLEL}
            return replace(found, not_measured=missing)
        value = parity.premium(counts, at, reference)
        lines = int(counts.lines[at, reference])
        if isinstance(value, str):
            missing = found.not_measured | {"premium": value, "parity": value}
            return replace(found, premium_lines=lines, not_measured=missing)
        if not value:
            missing = found.not_measured | {"parity": "this language has no tokens"}
            return replace(found, premium=value, premium_lines=lines, not_measured=missing)
        return replace(found, premium=value, parity=1 / value, premium_lines=lines)

    def _by_script(self) -> list[LanguageResult]:
        members: dict[str, list[int]] = {}
        for at, script in enumerate(self._languages.scripts):
            if script is not None:
                members.setdefault(script, []).append(at)
        sums = self._corpus.text_sums | self._counts.sums
        return [
            language_result(script, script, {key: int(each[at].sum()) for key, each in sums.items()})
            for script, at in sorted(members.items())
        ]


def never_seen(tokenizer: Tokenizer, counts: coverage.Counts) -> coverage.Counts:
    """The ids without an occurrence that have a token which is not special, rising. Shape (n,)."""
    special = set(tokenizer.special_tokens.values())
    return np.array(
        [id for id in np.flatnonzero(counts == 0).tolist() if id not in special and _exists(tokenizer, id)], np.uint64
    )


def _exists(tokenizer: Tokenizer, id: int) -> bool:
    try:
        tokenizer.id_to_token(id)
    except DecodeError:  # no token has this id
        return False
    return True
