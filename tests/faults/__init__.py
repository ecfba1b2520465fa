"""Every service around the site fails while an organiser works."""
