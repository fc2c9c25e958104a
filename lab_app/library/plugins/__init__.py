"""Tokenizers written in Python by others: found by their entry point, each run in a process of its own."""
