"""Chat templates: the text that a list of messages becomes before it is encoded."""
