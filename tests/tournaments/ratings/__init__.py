"""Ratings: the rules, the job, and the pages."""
