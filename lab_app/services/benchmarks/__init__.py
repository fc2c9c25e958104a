"""Benchmarks and measurements of cost."""
