"""The roles of a job played by a language model: one DSPy module a file."""
