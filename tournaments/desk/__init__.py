"""The organisers' desk: the next step, sections with their counts, and timed changes."""
