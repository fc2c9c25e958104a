"""The list of tokenizers: adding, fetching, composing, converting."""
