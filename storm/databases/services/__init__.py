"""The clients of the public services, one per file, and what they share."""
