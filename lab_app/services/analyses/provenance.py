"""How an analysis was made, as data for files. Not here: in words for people (`lab_app.reports.analysis`)."""

from dataclasses import asdict
from typing import Any

from lab_app.analysis.corpus.result import CorpusResult


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
