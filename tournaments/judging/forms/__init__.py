"""Forms for judge calls, penalties and local rulings."""
