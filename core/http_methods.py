"""Methods of a request."""

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
"""Who asks so wants to change nothing (RFC 9110, 9.2.1)."""
