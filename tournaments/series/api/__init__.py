"""Series and their events in the API."""
