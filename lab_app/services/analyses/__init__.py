"""Analyses of corpora, and what else is counted or checked over whole corpora."""
