"""The full hunt for texts on which the engine and a reference library differ. `make test` runs a sample of it."""
