"""Forms for results and cuts."""
