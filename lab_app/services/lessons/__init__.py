"""Lessons: every step of an algorithm on a text."""
