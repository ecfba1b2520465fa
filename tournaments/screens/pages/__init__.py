"""Content of the screen and print pages, read-only."""
