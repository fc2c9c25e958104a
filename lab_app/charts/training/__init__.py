"""The charts of a training: compression of the held-out text, counts of what became a token, losses.

The page draws them again as values come in, reports draw them once. Not here: the training itself (`lab_app.training`).
"""
