"""The command line."""

import gc

gc.set_threshold(100_000)  # imports make many objects and no garbage
