"""Confidential texts of an event, their permitted readers, and the places they must not reach."""
