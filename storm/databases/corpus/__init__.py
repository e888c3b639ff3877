"""The local corpus: its index on disk, and the sample that comes with storm."""
