"""Backups, health and figures of the site."""
