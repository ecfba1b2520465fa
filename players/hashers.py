from django.contrib.auth import hashers


class Argon2PasswordHasher(hashers.Argon2PasswordHasher):
    """Argon2id with 19 MiB in two passes on one core."""

    # OWASP's Password Storage Cheat Sheet names these values, and they leave a core free on a
    # shop's computer. Hashes by Django's default, 100 MiB in eight threads, are replaced at the
    # next login.

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1
