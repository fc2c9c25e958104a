"""Benchmarks, never a test with a time limit: what they print are ratios of medians, with their spread."""
