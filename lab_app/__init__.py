"""The Tokenization Laboratory: backend, command line and desktop shell around the Rust engine."""
