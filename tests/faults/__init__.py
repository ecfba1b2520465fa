"""Everything around the site broken, while an organiser goes on."""
