"""`python -m lab_app`: the same as `tokenlab`."""

from lab_app.cli.main import main

if __name__ == "__main__":
    main()
