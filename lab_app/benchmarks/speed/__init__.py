"""Compares engines on one text: interleaved rounds, each engine in a process of its own."""
