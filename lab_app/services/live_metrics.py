"""Counts what the lab encodes while it runs, per tokenizer: `/api/v1/metrics` and Prometheus's `/metrics`.

`lab_app.services.text.encode` and `encode_batch` report here, so every call of the HTTP interface counts that encodes whole texts; the editor,
which encodes changes, and the corpus, which counts in batches of its own, do not. A record takes about a microsecond.
Nothing of a text is kept. Not here: benchmarks (`lab_app.benchmarks`).
"""

from __future__ import annotations

import math
import sys
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lab_app.engine import Specials, Tokenizer
from lab_app.times import now_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lab_app.library.tokenizer import AnyTokenizer
    from lab_app.services.lab import Lab

SAMPLE_EVERY = 64
"""The second text and then one in so many are encoded again with their stages timed."""
SAMPLED_CHARACTERS = 65_536
SAMPLED_NS = 10_000_000
"""Longer texts, and calls that took longer, are not encoded again."""
STAGES = ("normalizer", "pretokenizer", "model", "postprocessor", "output")


@dataclass(frozen=True)
class CharactersPerToken:
    """Over texts with at least one token. `deviation` is the sample standard deviation; None for one text."""

    texts: int
    mean: float
    deviation: float | None


@dataclass(frozen=True)
class SampledStages:
    """The time of each stage over the texts that were sampled. A stage without a time of its own is None."""

    texts: int
    characters: int
    normalizer_ns: int | None
    pretokenizer_ns: int | None
    model_ns: int | None
    postprocessor_ns: int | None
    output_ns: int | None


@dataclass(frozen=True)
class TokenizerMetrics:
    """What one tokenizer encoded since the lab started. Added special tokens count as tokens."""

    tokenizer: str
    texts: int
    characters: int
    """Code points, pairs included."""
    tokens: int
    elapsed_ns: int
    """Time in the engine, of all threads together."""
    tokens_per_s: float | None
    characters_per_token: CharactersPerToken | None
    """None for batches alone: single texts are measured."""
    stages: SampledStages | None
    """None if no text was sampled."""


@dataclass(frozen=True)
class LiveMetrics:
    """All tokenizers that encoded something since the lab started."""

    since: str
    """UTC, ISO 8601."""
    peak_bytes: int | None
    """The highest resident memory of the lab's process; None if the system does not report it."""
    tokenizers: list[TokenizerMetrics]


@dataclass(frozen=True)
class MetricsOfTokenizer(TokenizerMetrics):
    """One tokenizer, and the process that it runs in."""

    since: str
    peak_bytes: int | None
    """The highest resident memory of the lab's process, which all tokenizers share."""


@dataclass
class _Counts:
    texts: int = 0
    characters: int = 0
    tokens: int = 0
    elapsed_ns: int = 0
    unsampled: int = 0
    """Single texts since the last one that was sampled."""
    # Welford's sums of characters per token, over single texts with tokens.
    ratios: int = 0
    mean: float = 0.0
    squares: float = 0.0
    sampled: int = 0
    sampled_characters: int = 0
    stages_ns: dict[str, int | None] = field(default_factory=dict)

    def metrics(self, id: str) -> TokenizerMetrics:
        deviation = math.sqrt(self.squares / (self.ratios - 1)) if self.ratios > 1 else None
        return TokenizerMetrics(
            tokenizer=id,
            texts=self.texts,
            characters=self.characters,
            tokens=self.tokens,
            elapsed_ns=self.elapsed_ns,
            tokens_per_s=self.tokens / self.elapsed_ns * 1e9 if self.elapsed_ns else None,
            characters_per_token=CharactersPerToken(self.ratios, self.mean, deviation) if self.ratios else None,
            stages=self._stages(),
        )

    def _stages(self) -> SampledStages | None:
        if not self.sampled:
            return None
        times = {f"{stage}_ns": self.stages_ns.get(stage) for stage in STAGES}
        return SampledStages(self.sampled, self.sampled_characters, **times)


class Counters:
    """The counts of one lab. Threads may share it.

    >>> counters = Counters()
    >>> is_sampled = counters.record("gpt2", texts=1, characters=12, tokens=3, elapsed_ns=1000)
    >>> counters.all()[0].characters_per_token.mean
    4.0
    """

    def __init__(self) -> None:
        self.since = now_text()
        self._lock = threading.Lock()
        self._counts: dict[str, _Counts] = {}

    def record(
        self, id: str, *, texts: int, characters: int, tokens: int, elapsed_ns: int, is_batch: bool = False
    ) -> bool:
        """Counts one call. Returns whether its text is one to sample; those of a batch are not."""
        with self._lock:
            counts = self._counts.get(id)
            if counts is None:
                counts = self._counts[id] = _Counts()
            counts.unsampled += not is_batch
            # Not the first text of all: the page waits for it, and timing it would import numpy.
            is_first = not counts.sampled and counts.texts > 0
            is_due = not is_batch and (counts.unsampled >= SAMPLE_EVERY or is_first)
            is_sampled = is_due and characters <= SAMPLED_CHARACTERS and elapsed_ns <= SAMPLED_NS
            if is_sampled:
                counts.unsampled = 0
            counts.texts += texts
            counts.characters += characters
            counts.tokens += tokens
            counts.elapsed_ns += elapsed_ns
            if not is_batch and tokens:
                ratio = characters / tokens
                counts.ratios += 1
                distance = ratio - counts.mean
                counts.mean += distance / counts.ratios
                counts.squares += distance * (ratio - counts.mean)
        return is_sampled

    def record_stages(self, id: str, characters: int, stages_ns: dict[str, int | None]) -> None:
        """Counts the stages of one sampled text."""
        with self._lock:
            counts = self._counts[id]
            counts.sampled += 1
            counts.sampled_characters += characters
            for stage, elapsed_ns in stages_ns.items():
                before = counts.stages_ns.get(stage)
                counts.stages_ns[stage] = before if elapsed_ns is None else (before or 0) + elapsed_ns

    def all(self) -> list[TokenizerMetrics]:
        """The counts of every tokenizer, by id."""
        with self._lock:
            return [counts.metrics(id) for id, counts in sorted(self._counts.items())]

    def of(self, id: str) -> TokenizerMetrics | None:
        """The counts of one tokenizer; None if it encoded nothing."""
        with self._lock:
            counts = self._counts.get(id)
            return counts.metrics(id) if counts else None


def record_text(
    counters: Counters,
    id: str,
    tokenizer: AnyTokenizer,
    text: str,
    *,
    characters: int,
    tokens: int,
    elapsed_ns: int,
    specials: Specials,
    add_special_tokens: bool,
) -> None:
    """Counts one text, and measures its stages if it is one to sample."""
    is_sampled = counters.record(id, texts=1, characters=characters, tokens=tokens, elapsed_ns=elapsed_ns)
    if not is_sampled or not isinstance(tokenizer, Tokenizer):
        return
    _, _, timings = tokenizer.encode_timed([text], spans=True, specials=specials, add_special_tokens=add_special_tokens)
    counters.record_stages(id, len(text), timings["stages_ns"])


def live_metrics(lab: Lab) -> LiveMetrics:
    """The counts of all tokenizers."""
    return LiveMetrics(lab.counters.since, peak_bytes(), lab.counters.all())


def metrics_of(lab: Lab, id: str) -> MetricsOfTokenizer:
    """The counts of one tokenizer, whatever the capitals of its id; zeros if it encoded nothing yet.

    Raises NotFound for an unknown id.

    >>> from lab_app.services.lab import Lab
    >>> from lab_app.settings import Settings
    >>> metrics_of(Lab(Settings()), "gpt2").texts
    0
    """
    entry = lab.catalog.entry(id)
    found = lab.counters.of(entry.id) or _Counts().metrics(entry.id)
    return MetricsOfTokenizer(**vars(found), since=lab.counters.since, peak_bytes=peak_bytes())


def peak_bytes() -> int | None:
    """The highest resident memory of this process so far; None on Windows."""
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


class _Collector:
    """The counts as Prometheus's metrics, made when they are asked for."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters

    def collect(self) -> Iterator[Any]:
        """Counters end in `_total`; times are in seconds, as Prometheus asks."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        found = self._counters.all()

        def counter(name: str, words: str, value: str, scale: float = 1.0) -> Any:
            family = CounterMetricFamily(f"tokenlab_{name}", words, labels=["tokenizer"])
            for each in found:
                family.add_metric([each.tokenizer], getattr(each, value) * scale)
            return family

        yield counter("texts", "Texts encoded.", "texts")
        yield counter("characters", "Code points encoded.", "characters")
        yield counter("tokens", "Tokens, added special tokens included.", "tokens")
        yield counter("encode_seconds", "Time in the engine, of all threads together.", "elapsed_ns", 1e-9)
        mean = GaugeMetricFamily("tokenlab_characters_per_token_mean", "Over single texts.", labels=["tokenizer"])
        deviation = GaugeMetricFamily(
            "tokenlab_characters_per_token_deviation", "Sample standard deviation over texts.", labels=["tokenizer"]
        )
        stages = CounterMetricFamily(
            "tokenlab_stage_seconds", "Time per stage of the sampled texts.", labels=["tokenizer", "stage"]
        )
        sampled = CounterMetricFamily("tokenlab_sampled_texts", "Texts with timed stages.", labels=["tokenizer"])
        for each in found:
            if each.characters_per_token is not None:
                mean.add_metric([each.tokenizer], each.characters_per_token.mean)
                if each.characters_per_token.deviation is not None:
                    deviation.add_metric([each.tokenizer], each.characters_per_token.deviation)
            if each.stages is not None:
                sampled.add_metric([each.tokenizer], each.stages.texts)
                for stage in STAGES:
                    elapsed_ns = getattr(each.stages, f"{stage}_ns")
                    if elapsed_ns is not None:
                        stages.add_metric([each.tokenizer, stage], elapsed_ns * 1e-9)
        yield from (mean, deviation, stages, sampled)
        peak = peak_bytes()
        if peak is not None:
            yield GaugeMetricFamily("tokenlab_peak_resident_bytes", "Highest resident memory of the lab.", value=peak)


def prometheus_text(lab: Lab) -> tuple[bytes, str]:
    """The metrics in Prometheus's text format, and its media type."""
    from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, PlatformCollector, ProcessCollector
    from prometheus_client.exposition import generate_latest

    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    registry.register(_Collector(lab.counters))
    return generate_latest(registry), CONTENT_TYPE_LATEST
