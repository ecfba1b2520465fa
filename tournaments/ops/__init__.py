"""Backups, health and metrics of the site."""
