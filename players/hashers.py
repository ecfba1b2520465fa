from django.contrib.auth import hashers


class Argon2PasswordHasher(hashers.Argon2PasswordHasher):
    """Argon2id with 19 MiB in two passes on one core.

    The Password Storage Cheat Sheet of OWASP names these values, and they leave a core free on a
    shop's computer. Django's default takes 100 MiB and eight threads. Its hashes are still
    accepted, and replaced at the next login.
    """

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1
