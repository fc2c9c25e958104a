"""The SQLite file that outlives a run: one connection policy, migrations, one module per table."""
