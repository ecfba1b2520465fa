"""Settings for a single machine in a shop (`make run`), without configuration.

The secret key is created once and stored next to the database, readable only by its owner.
"""

from config.settings import limits
from config.settings.accounts import ALLAUTH_TRUSTED_PROXY_COUNT
from config.settings.base import *  # noqa: F403
from config.settings.base import SITE_ADDRESS
from config.settings.environment import VAR_DIR, env, switch, whole_number
from core.private_files import new_secret_key, read_or_create

SECRET_KEY = env("SECRET_KEY", default="") or read_or_create(VAR_DIR / "secret_key", new_secret_key)
# For development. Error pages show code and settings, so the site then starts on loopback addresses
# only.
DEBUG = switch("DATAFORT_DEBUG")
# Phones may use any address of the shop's machine.
ALLOWED_HOSTS = env.list(
    "ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"] if DEBUG else ["*"]
)
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
if SITE_ADDRESS:
    # Browsers send this origin even if a proxy forwards another host.
    CSRF_TRUSTED_ORIGINS = [SITE_ADDRESS]
if ALLAUTH_TRUSTED_PROXY_COUNT:
    # The shop's proxy terminates TLS.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# A process computes one answer at a time: two would only compete for the same core.
API_LIMITS = {
    **limits.API_LIMITS,
    "requests_at_once": whole_number(
        "DATAFORT_LIMIT_REQUESTS_AT_ONCE", default=1, least=1, most=1000
    ),
}
