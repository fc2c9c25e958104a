"""Chats: messages as tokens, their budget, tests of chat templates, counting by published rules."""
