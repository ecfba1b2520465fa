"""One machine in a shop: `make run`. Nothing to configure.

The secret key is made once and kept beside the database, readable by its
owner only.
"""

from config.settings.accounts import ALLAUTH_TRUSTED_PROXY_COUNT
from config.settings.base import *  # noqa: F403
from config.settings.base import SITE_ADDRESS
from config.settings.environment import VAR_DIR, env, switch, whole_number
from config.settings.limits import API_LIMITS
from core.private_files import kept, new_secret_key

SECRET_KEY = env("SECRET_KEY", default="") or kept(VAR_DIR / "secret_key", new_secret_key)
# For developers. Error pages show code and settings, so the site starts on loopback addresses only.
DEBUG = switch("DATAFORT_DEBUG")
# A hall reaches the shop's machine by whatever address it has on the network.
ALLOWED_HOSTS = env.list(
    "ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"] if DEBUG else ["*"]
)
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
if SITE_ADDRESS:
    # Browsers name it as their origin, also when a proxy passes on another host.
    CSRF_TRUSTED_ORIGINS = [SITE_ADDRESS]
if ALLAUTH_TRUSTED_PROXY_COUNT:
    # A proxy of the shop with a certificate.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# One process computes one answer at a time: two of them would only take turns on one core.
API_LIMITS = {
    **API_LIMITS,
    "requests_at_once": whole_number(
        "DATAFORT_LIMIT_REQUESTS_AT_ONCE", default=1, least=1, most=1000
    ),
}
