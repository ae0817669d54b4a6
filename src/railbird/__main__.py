"""`python -m railbird` is the `railbird` command."""

from railbird.cli import main

main()
