"""Web pages and PDFs: fetched from public addresses only, and read in a process of their own."""
