"""The speed of the engine beside other libraries, with a floor for each row: `make bench` runs it."""
