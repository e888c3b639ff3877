"""The public services: one client a file, and what they share."""
