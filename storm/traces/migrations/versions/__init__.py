"""One file a version. A version that was released is never changed; the next one gets a file and a line in REVISIONS
(storm/traces/versions.py, with NEWEST)."""
