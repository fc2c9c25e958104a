"""`python -m lab_app`: the same as `tokenlab`. Children of the lab start here too (`lab_app.children`), and so does
the app that `make app` builds."""

import os
import sys

if __name__ == "__main__":
    # In this order, and with modules that Python itself has imported already: a child must import nothing by a path that
    # is not its parent's. `lab_app.children` says what the arguments are.
    if sys.argv[1:2] == ["--child"]:
        sys.path[:] = sys.argv[2].split(os.pathsep) if sys.argv[2] else sys.path
        from lab_app.children import main
    else:
        from lab_app.cli.main import main
    main()
