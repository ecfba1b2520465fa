"""The permissions of every operation of the API, a module of rows per topic."""
