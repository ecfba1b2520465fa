"""Upgrades of databases from earlier releases to this release."""
