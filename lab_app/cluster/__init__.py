"""Counts a corpus on several processes or machines with Dask distributed. Not here: one process (`services.analyses.counting`)."""
