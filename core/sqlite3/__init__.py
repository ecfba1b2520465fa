"""SQLite as a database of this site, where those who write stand in line."""
