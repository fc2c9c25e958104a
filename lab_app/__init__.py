"""The Tokenization Laboratory: backend, command line and desktop shell around the Rust engine.

CONTRIBUTING.md has the layers, and which of them may import which. Importing any module has no side effect.
"""
