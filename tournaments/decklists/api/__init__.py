"""The API of this slice."""
