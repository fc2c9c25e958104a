"""One use case per module. They know no HTTP, no command line and no window, and raise `lab_app.errors` alone."""
