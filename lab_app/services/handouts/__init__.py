"""Handouts: a lesson, or a text with its tokens, as one HTML file that encodes new text without the lab and without a network."""
