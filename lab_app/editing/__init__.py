"""Edits of tokenizers: pure functions from a parsed tokenizer.json and options to another one, and their recipes.

Not here: keeping the result, corpora and other tokenizers that an edit names (`lab_app.services.editing`).
"""
