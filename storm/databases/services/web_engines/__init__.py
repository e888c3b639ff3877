"""The search engines that can search the web: one file each, of the shape that `base.py` says."""
