"""Long work: what runs, how far it is, stopping it. The work itself is handed in; services make it."""
