"""Use cases of judge calls, penalties and local rulings, each one transaction."""
