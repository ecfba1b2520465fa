"""Data of statistics pages. Other slices use `figures.statistics_of` and `players`."""
