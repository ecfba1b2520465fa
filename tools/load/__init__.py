"""A big evening before the running site: phones, reports and a published round, by Locust."""
