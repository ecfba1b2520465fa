"""Pairing of rounds."""
