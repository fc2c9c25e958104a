"""Corpora: files of text, read as a stream of documents. Not here: what is counted in them (`lab_app.analysis`)."""
