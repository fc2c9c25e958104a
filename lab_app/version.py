"""The version of the lab, which `Cargo.toml` has for both languages."""

from importlib.metadata import PackageNotFoundError, version


def lab_version() -> str:
    """The version that is installed; "0+unknown" where the lab runs without being installed."""
    try:
        return version("tokenization-lab")
    except PackageNotFoundError:
        return "0+unknown"
