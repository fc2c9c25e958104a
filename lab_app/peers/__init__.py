"""Other tokenizer libraries, each behind one adapter, for benchmarks and for the comparison of ids. Importing this imports none of them."""
