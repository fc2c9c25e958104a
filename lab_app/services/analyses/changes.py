"""What differs between two kept analyses: the text, the settings, the tokenizers, and every metric of those in both.

Not here: making and reading an analysis (`analyses`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from lab_app.analysis.corpus.registry import BY_NAME, Metric, is_comparable
from lab_app.analysis.corpus.result import CorpusResult, LanguageResult, TokenizerResult
from lab_app.services.analyses.analyses import load
from lab_app.services.lab import Lab
from lab_app.services.records import SettingChange, setting_changes


@dataclass(frozen=True)
class MetricChange:
    """A metric that differs. `language` is None for the whole corpus."""

    tokenizer: str
    language: str | None
    metric: str
    unit: str
    before: float | None
    """None if it was not measured."""
    after: float | None
    difference: float | None
    """`after` less `before`; None unless both were measured."""


@dataclass(frozen=True)
class AnalysisChanges:
    """The changes from analysis `before` to analysis `after`."""

    before: int
    after: int
    same_text: bool
    """Whether the files of the corpus have the same sha256."""
    settings: list[SettingChange]
    added_tokenizers: list[str]
    removed_tokenizers: list[str]
    changed_tokenizers: list[str]
    """Tokenizers of the same id whose files differ."""
    compared: int
    """Metrics of both that were compared."""
    metrics: list[MetricChange]


def changes(lab: Lab, before: int, after: int) -> AnalysisChanges:
    """What differs between two kept analyses. Raises NotFound."""
    return changes_between(load(lab, before), load(lab, after))


def changes_between(before: CorpusResult, after: CorpusResult) -> AnalysisChanges:
    """What differs between two results."""
    old = {each.tokenizer: each for each in before.tokenizers}
    new = {each.tokenizer: each for each in after.tokenizers}
    both = [id for id in new if id in old]
    compared = [
        change for id in both for change in _metrics(old[id], new[id]) if is_comparable(change.metric, before, after)
    ]
    return AnalysisChanges(
        before=before.id or 0,
        after=after.id or 0,
        same_text=before.corpus.sha256 == after.corpus.sha256,
        settings=setting_changes(_circumstances(before), _circumstances(after)),
        added_tokenizers=[id for id in new if id not in old],
        removed_tokenizers=[id for id in old if id not in new],
        changed_tokenizers=[id for id in both if old[id].sha256 != new[id].sha256],
        compared=len(compared),
        metrics=[change for change in compared if change.before != change.after],
    )


def metric_values(result: TokenizerResult | LanguageResult) -> dict[str, float | None]:
    """The metrics that are one number, by their names in the registry or with a dot into their object."""
    found: dict[str, float | None] = {}
    for name, value in asdict(result).items():
        if isinstance(value, Mapping):
            for part, number in _flat(name, value):
                if part in BY_NAME or name in BY_NAME:
                    found[part] = number
        elif name in BY_NAME and not isinstance(value, list):
            found[name] = value
    return found


def _flat(name: str, value: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    for key, each in value.items():
        if isinstance(each, Mapping):
            yield from _flat(f"{name}.{key}", each)
        elif isinstance(each, int | float):
            yield f"{name}.{key}", each


def metric_of(name: str) -> Metric:
    """The metric of a number by the name that `metric_values` gives it.

    >>> metric_of("lengths.p95").unit, metric_of("lengths.share_above.512").unit
    ('tokens per document', 'share of documents, 0 to 1')
    """
    while name not in BY_NAME:
        name = name.rpartition(".")[0]
    return BY_NAME[name]


def unit_of(name: str) -> str:
    """The unit of a number by the name that `metric_values` gives it."""
    return metric_of(name).unit


def _metrics(before: TokenizerResult, after: TokenizerResult) -> Iterator[MetricChange]:
    yield from _differences(after.tokenizer, None, metric_values(before), metric_values(after))
    old = {each.language: each for each in before.languages}
    for each in after.languages:
        if each.language in old:
            values = metric_values(old[each.language]), metric_values(each)
            yield from _differences(after.tokenizer, each.language, *values)


def _differences(
    tokenizer: str, language: str | None, before: dict[str, float | None], after: dict[str, float | None]
) -> Iterator[MetricChange]:
    for name in {**after, **before}:
        old, new = before.get(name), after.get(name)
        if old is not None or new is not None:
            difference = None if old is None or new is None else new - old
            yield MetricChange(tokenizer, language, name, unit_of(name), old, new, difference)


def _circumstances(result: CorpusResult) -> dict[str, str]:
    """What may explain a difference, in words."""
    corpus, settings = result.corpus, result.settings
    return {
        "corpus": corpus.title,
        "sha256 of the corpus": corpus.sha256,
        "documents": str(corpus.documents),
        "bytes": str(corpus.bytes),
        "sampled": "all" if corpus.sampled is None else f"{corpus.sampled:.4f}",
        "cleaning": ", ".join(f"{name}: {count}" for name, count in corpus.cleaning.items()) or "none",
        "measures": ", ".join(settings.measures),
        "reference language": settings.reference_language or "none",
        "context lengths": ", ".join(map(str, settings.context_lengths)),
        "alpha": f"{settings.alpha:g}",
        "seed": str(settings.seed),
        "version of the lab": result.versions.lab,
        "commit of the lab": result.versions.commit or "none",
        "build of the engine": result.versions.engine,
    }
