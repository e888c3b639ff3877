"""Web pages and PDFs: fetched from public addresses only, and parsed in a separate process."""
