"""Speed and quality: each figure is a ratio of two things measured in the same run.

`make bench` measures and writes docs/dev/performance.md.
"""
