"""How fast and how good: each figure is a ratio of two things measured in one run.

`make bench` measures and writes docs/dev/performance.md.
"""
