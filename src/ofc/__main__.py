"""`python -m ofc` is `ofc`."""

from ofc.cli import main

main()
