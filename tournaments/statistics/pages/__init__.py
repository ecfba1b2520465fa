"""What pages of statistics show. Other slices call `figures.statistics_of` and `players`."""
