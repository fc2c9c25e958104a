"""Optional steps that change documents while they are read. Each is a function of one document (`steps`); the report
counts what each of them changed (`cleaner`)."""
