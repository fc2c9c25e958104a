"""Known tokenizers: which there are, where their files come from, and how a user's own are taken in."""
