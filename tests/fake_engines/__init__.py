"""Engines for tests, each of which does one thing wrong: adapters as in lab_app/peers.

Ids are the bytes of the text. Nothing is imported here: a process that runs one of them starts with this.
"""
