"""Takes out of an environment what a server never loads, and makes the libraries smaller: a step of the Dockerfile.

python prune.py SITE_PACKAGES

`tests/unit/test_container.py` runs it, and uses the lab afterwards.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

REMOVED = (
    # What installs.
    *("setuptools", "setuptools-*", "pkg_resources", "_distutils_hack", "distutils-precedence.pth"),
    # Tests, and what only a compiler or a type checker reads.
    *("**/tests", "**/*.pyx", "**/*.pxd", "**/*.pxi", "**/*.c", "**/*.h", "**/*.pyi", "numpy/f2py", "numpy/distutils"),
    *("numpy/_core/_simd.*", "numpy/_core/_*_tests.*", "*.dist-info/sboms"),
    *("pyarrow/include", "pyarrow/src", "pyarrow/libarrow_python*.so", "pyarrow/libarrow_python*.so.*.*.*"),
    # Other formats, and files of other machines.
    *(f"pyarrow/*{name}*" for name in ("flight", "s3", "orc", "azure", "gcs", "hdfs", "encryption", "cpp_tests")),
    # What draws figures in notebooks and files. The page has its own script for that.
    *("plotly/labextension", "plotly/matplotlylib", "plotly/package_data/*.js", "plotly/package_data/datasets"),
    # Languages that nobody colours here.
    *("pygments/lexers/[!_]*.py", "pygments/lexers/_*_builtins.py"),
    # Transfers that the lab turns off.
    *("hf_xet", "hf_xet-*"),
    # Most of it is never imported. What is, the next step compiles again.
    "**/__pycache__",
)
LIBRARY = re.compile(r"\.so(\.\d+)*$")
TRACES = ("bar", "heatmap", "histogram", "layout", "scatter")
"""Those that the charts have (`lab_ui/plotly.entry.js`), and the layout."""


def main(packages: Path) -> None:
    for pattern in REMOVED:
        for path in list(packages.glob(pattern)):
            remove(path)
    for path in (packages / "plotly" / "graph_objs").iterdir():
        if path.is_dir() and path.name not in TRACES:
            remove(path)
    for library in packages.rglob("*.so*"):
        if library.is_symlink() or not LIBRARY.search(library.name):
            continue
        # A library that was patched, as those with others in a folder NAME.libs are, cannot be loaded when it is stripped.
        package = library.relative_to(packages).parts[0]
        if not package.endswith(".libs") and not (packages / f"{package}.libs").is_dir():
            subprocess.run(["strip", "--strip-unneeded", library], check=True)


def remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
