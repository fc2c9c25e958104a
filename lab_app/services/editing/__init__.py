"""Edits of tokenizers as people use them: a recipe on a base, what it does, and the result as a tokenizer and files."""
