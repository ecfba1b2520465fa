"""Attacks of a single stranger, with the waiting times of readers and staff during each.

Each module defines its cases; `python -m tools.attack.NAME` prints the figures.
"""
