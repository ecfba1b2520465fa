"""Databases of earlier releases, brought up to the release of now."""
