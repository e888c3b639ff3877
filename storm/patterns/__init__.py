"""Regular expressions by the hundred over thousands of sentences: each word is looked up once."""
