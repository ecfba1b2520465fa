"""Documents of the API, in and out."""
