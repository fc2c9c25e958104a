"""Numbers about texts and tokens: pure functions from spans, ids and texts to arrays. No files, no clock.

Positions are bytes of the original text unless a name says otherwise. The metrics of a corpus are names of this package,
imported when first used; the modules of `lab_app.analysis.corpus` have the formula of one each.

>>> import numpy as np
>>> from lab_app import analysis
>>> analysis.milestones(np.array([5, 3, 1, 1], np.uint64))["90"], analysis.gini([10, 30])
(3, 0.25)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lab_app.analysis.corpus.agreement import agreement
    from lab_app.analysis.corpus.boundaries import digits
    from lab_app.analysis.corpus.coverage import curve, milestones
    from lab_app.analysis.corpus.gini import gini
    from lab_app.analysis.corpus.lengths import histogram, lengths
    from lab_app.analysis.corpus.parity import parallel_counts, premium
    from lab_app.analysis.corpus.rarefaction import expected_types, rarefaction
    from lab_app.analysis.corpus.renyi import renyi_efficiency, renyi_entropy
    from lab_app.analysis.corpus.vocabulary_use import average_rank, vocabulary_utilisation
    from lab_app.analysis.corpus.zipf import zipf

_METRICS = {
    "agreement": "agreement",
    "average_rank": "vocabulary_use",
    "curve": "coverage",
    "digits": "boundaries",
    "expected_types": "rarefaction",
    "gini": "gini",
    "histogram": "lengths",
    "lengths": "lengths",
    "milestones": "coverage",
    "parallel_counts": "parity",
    "premium": "parity",
    "rarefaction": "rarefaction",
    "renyi_efficiency": "renyi",
    "renyi_entropy": "renyi",
    "vocabulary_utilisation": "vocabulary_use",
    "zipf": "zipf",
}
"""The module of `corpus` in which each is."""

__all__ = [
    "agreement",
    "average_rank",
    "curve",
    "digits",
    "expected_types",
    "gini",
    "histogram",
    "lengths",
    "milestones",
    "parallel_counts",
    "premium",
    "rarefaction",
    "renyi_efficiency",
    "renyi_entropy",
    "vocabulary_utilisation",
    "zipf",
]


def __getattr__(name: str) -> Any:
    """A metric, whose module is imported now: other modules of this package need none of them."""
    if name not in _METRICS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"lab_app.analysis.corpus.{_METRICS[name]}"), name)
