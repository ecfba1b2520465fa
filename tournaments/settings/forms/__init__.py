"""Forms of event settings."""
