"""Answers the page from its first moment, before the rest of the interface is imported."""
