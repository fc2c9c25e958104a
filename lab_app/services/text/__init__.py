"""Texts: encoding, decoding, comparing, explaining, chats."""
