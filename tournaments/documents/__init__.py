"""The documents of DESIGN section 5: read, checked with their JSON paths, answered."""
