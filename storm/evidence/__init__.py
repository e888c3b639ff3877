"""Reads the statements of a document about the drug, classifies them, and chooses those to print."""
