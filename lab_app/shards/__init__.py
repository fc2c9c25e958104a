"""A corpus as files of IDs, as the training of a model reads them."""
