"""The web search engines, one per file, with the interface of `base.py`."""
