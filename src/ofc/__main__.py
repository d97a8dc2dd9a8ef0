"""`python -m ofc` is `ofc`."""

from ofc.cli import main

if __name__ == "__main__":
    main()
