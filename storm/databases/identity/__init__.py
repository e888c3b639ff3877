"""Resolves names to drugs by the records of drug databases."""
