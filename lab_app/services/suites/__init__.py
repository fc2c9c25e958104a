"""Suites: what is expected of texts and chats, checked again."""
