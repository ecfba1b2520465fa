"""Which release this is: told in backups, so that a newer one is not read by an older site."""

VERSION = "0.1.0"
