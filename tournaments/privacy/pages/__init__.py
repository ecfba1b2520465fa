"""Page data for the privacy pages."""
