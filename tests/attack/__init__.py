"""Attacks on a server that runs: `make attack`."""
