"""The Tokenization Laboratory: backend, command line and desktop shell around the Rust engine.

Layers, low to high, each importing only what stands left of it: `errors settings paths`, `engine`,
`store catalog analysis`, `services`, `api`, `desktop`, `cli`. Importing any module has no side effect.
"""
