"""One reader per kind of file. Each yields `Rows`; `lab_app.corpora.reading` makes batches of them."""
