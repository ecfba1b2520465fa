"""The password hasher."""

from django.contrib.auth import hashers


class Argon2PasswordHasher(hashers.Argon2PasswordHasher):
    """Argon2id with 19 MiB in two passes on one core.

    An equal choice of OWASP's Password Storage Cheat Sheet, and it leaves a core free on a shop's
    computer. Django's default takes 100 MiB and eight threads for each login. Such hashes are still
    accepted, and are replaced at the next login.
    """

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1
