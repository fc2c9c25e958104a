"""Numbers about texts and tokens: pure functions from spans, ids and texts to arrays. No engine, no files, no clock.

Positions are bytes of the original text unless a name says otherwise.
"""
