"""Import and export of tournament files."""
