"""Hundreds of regular expressions over thousands of sentences: each word is looked up once."""
