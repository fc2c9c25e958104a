"""Saved sessions, and how results are described and cited."""
