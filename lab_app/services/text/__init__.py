"""Texts: encoding, decoding, comparing, explaining, sampled IDs."""
