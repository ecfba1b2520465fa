"""Permissions of every API operation, in one module of rows per topic."""
