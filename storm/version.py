"""The version of storm, read by the build and by `storm --version`."""

__version__ = "0.1.0"
