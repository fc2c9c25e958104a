"""`python -m tests.performance`: the speed of the engine, as `make bench`."""

from tests.performance.engine.__main__ import main

if __name__ == "__main__":
    main()
