"""The library: which tokenizers there are, and how they are added, fetched, composed and loaded."""
