"""Attacks of one stranger, each with the waiting time of readers and staff beside it.

Each module has its cases; `python -m tools.attack.NAME` prints their two figures.
"""
