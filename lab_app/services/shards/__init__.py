"""Writes a corpus as shards, checks them, and goes on where it was stopped."""
