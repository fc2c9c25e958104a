"""Other tokenizer libraries behind one Protocol, to compare the engine with. Importing this package imports none of them."""
