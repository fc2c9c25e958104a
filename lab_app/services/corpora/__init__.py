"""Corpora: adding, cleaning, reading and searching them."""
