"""Players of an event as documents of the API."""
