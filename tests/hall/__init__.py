"""A hall of phones before a real site: `make hall` measures, a test keeps it working."""
