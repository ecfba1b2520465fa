"""Practice events: copies of an event to try things out."""
