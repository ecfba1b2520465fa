"""Draft, edit, publish, time and close rounds."""
