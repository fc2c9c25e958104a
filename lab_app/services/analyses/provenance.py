"""How an analysis was made: as data for files, in words for reports that people read."""

from dataclasses import asdict
from typing import Any

from lab_app.analysis.corpus.result import CorpusFacts, CorpusResult
from lab_app.charts.chart import letter_of, thin_number_of
from lab_app.version import LAB


def provenance(result: CorpusResult) -> dict[str, Any]:
    """Everything of a result but its numbers: what somebody needs to repeat it."""
    return {
        "made_at": result.made_at,
        "corpus": asdict(result.corpus),
        "settings": asdict(result.settings),
        "versions": asdict(result.versions),
        "command": result.command,
        "tokenizers": [{"tokenizer": one.tokenizer, "sha256": one.sha256} for one in result.tokenizers],
    }


def made_words(result: CorpusResult) -> list[tuple[str, str]]:
    """Labels and values: tokenizers, corpus, cleaning, settings, versions. The command is not among them."""
    corpus, settings, versions = result.corpus, result.settings, result.versions
    commit = f", commit {versions.commit}" if versions.commit else ""
    by = f", counted by {versions.cluster}" if versions.cluster else ""
    sampled = "all of it" if corpus.sampled is None else f"a sample of {100 * corpus.sampled:.3g} % of the bytes"
    changed = ", ".join(f"{name}: {thin_number_of(count, 'document')}" for name, count in corpus.cleaning.items())
    amounts = ((corpus.documents, "document"), (corpus.bytes, "byte"), (corpus.characters, "character"))
    size = ", ".join(thin_number_of(*amount) for amount in amounts)
    return [
        ("Made by", f"{LAB} {versions.lab}{commit}, engine {versions.engine}, Python {versions.python}{by}"),
        ("Date", result.made_at),
        *(
            (f"Tokenizer {letter_of(n)}", f"{one.tokenizer}, {_digest(one.sha256)}")
            for n, one in enumerate(result.tokenizers)
        ),
        ("Corpus", f"{corpus.title}, sha256 {corpus.sha256}"),
        ("Counted", f"{size}; {sampled}"),
        ("Reading", _reading(corpus)),
        ("Languages", ", ".join(corpus.languages) or "none named"),
        ("Cleaning, changed or dropped", changed or "no steps"),
        ("Measures", ", ".join(settings.measures)),
        (
            "Settings",
            f"reference language {settings.reference_language or 'none'}; context lengths"
            f" {', '.join(map(str, settings.context_lengths)) or 'none'}; order of the Rényi entropy {settings.alpha:g};"
            f" {settings.top} most frequent tokens kept; sample"
            f" {'all' if settings.sample_bytes is None else thin_number_of(settings.sample_bytes, 'byte')}, seed {settings.seed}",
        ),
    ]


def _reading(corpus: CorpusFacts) -> str:
    """What reading could not keep as it was."""
    skipped = "; ".join(f"{each.place}: {each.reason}" for each in corpus.skipped_documents)
    return (
        f"{thin_number_of(corpus.replaced_characters, 'invalid character')} replaced,"
        f" {thin_number_of(corpus.empty, 'empty line')}, {thin_number_of(corpus.skipped, 'document')} skipped{f' ({skipped})' if skipped else ''}"
    )


def _digest(sha256: str | None) -> str:
    return f"sha256 {sha256}" if sha256 else "no digest: a plug-in"
