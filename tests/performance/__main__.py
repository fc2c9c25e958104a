"""`make bench`: the engine beside other libraries, then the start-up times (`make bench-startup`).

Each library encodes the same texts in turns, on one thread, and its ids are compared first: a fast wrong answer does
not count. Figures are input megabytes (10^6 bytes) per second, median of the rounds, with the lowest and highest.
"""

import argparse

from tests.performance import encode, startup


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9, help="measured rounds per text and library (default 9)")
    parser.add_argument("--megabytes", type=float, default=1.0, help="size of each text (default 1)")
    parser.add_argument("--no-window", action="store_true", help="leave out the window")
    options = parser.parse_args()
    encode.run(options.rounds, options.megabytes)
    if not options.no_window:
        print()
        startup.run()


if __name__ == "__main__":
    main()
