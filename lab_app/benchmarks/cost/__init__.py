"""Measures how time grows with the text, and races algorithms."""
