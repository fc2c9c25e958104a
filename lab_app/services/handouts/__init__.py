"""Handouts: lessons, texts with their tokens and exercises, as pages that work without the lab: one HTML file, or a folder."""
