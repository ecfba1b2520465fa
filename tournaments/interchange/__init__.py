"""Tournament files in and out."""
