"""Metrics of tokenizers on a corpus: pure functions over counts, one idea per file, and what an analysis returns."""
