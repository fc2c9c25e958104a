"""`docs/guide/metrics.md` from the registry: `python -m tests.metrics_page` writes it again."""

from lab_app.analysis.corpus.registry import markdown
from tests.conftest import ROOT

PAGE = ROOT / "docs" / "guide" / "metrics.md"

if __name__ == "__main__":
    PAGE.write_text(markdown(), encoding="utf-8")
