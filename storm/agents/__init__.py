"""The roles of a job for a language model: one DSPy module per file."""
