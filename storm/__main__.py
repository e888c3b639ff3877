"""`python -m storm` is `storm`."""

from storm.cli.main import main

main()
