"""Engines that a benchmark can run: one file each, imported in the process that runs it."""
