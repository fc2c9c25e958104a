"""The command line: one module per command. Each parses, calls one service, prints a table, or JSON for programs."""
