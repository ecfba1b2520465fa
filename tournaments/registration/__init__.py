"""Sign-up, roster, check-in, late entries, drops and returns."""
