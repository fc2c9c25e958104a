"""Is not installed."""

from tests.fake_engines.honest import load, misfit

NAME = TITLE = PACKAGE = "absent"
MODULE = "no_such_library_of_tests"
__all__ = ["load", "misfit"]
