"""A large event at the running site: phones, reports and a published round, by Locust."""
