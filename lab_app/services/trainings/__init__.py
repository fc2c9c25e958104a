"""Trainings: starting, watching, keeping them."""
