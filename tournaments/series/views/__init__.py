"""Pages of series: what everybody reads, what organisers change, and events run again."""
