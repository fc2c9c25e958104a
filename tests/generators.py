"""Texts that are hard on tokenizers: those that the lab itself generates, under the name that the tests use."""

from lab_app.analysis.generated_texts import texts

__all__ = ["texts"]
