"""Simulated events."""
