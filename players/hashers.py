"""How a password is stored."""

from django.contrib.auth import hashers


class Argon2PasswordHasher(hashers.Argon2PasswordHasher):
    """Argon2id with 19 MiB in two passes on one core.

    One of the equal choices of OWASP's Password Storage Cheat Sheet, and the one that leaves a
    shop's computer a core. Django's own takes 100 MiB and eight threads for each log-in; hashes
    of that kind still open, and are stored anew when they do.
    """

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1
