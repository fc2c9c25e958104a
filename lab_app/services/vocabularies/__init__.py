"""Vocabularies: one of them, searches, and what two of them share."""
