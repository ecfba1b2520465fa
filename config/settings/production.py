"""Settings for a public server behind HTTPS. Requires SECRET_KEY and DATAFORT_PUBLIC_URL."""

from hashlib import sha256
from urllib.parse import urlsplit

from config.settings.accounts import ALLAUTH_TRUSTED_PROXY_COUNT
from config.settings.base import *  # noqa: F403
from config.settings.environment import env, one_of, required
from config.settings.logs import LOG_FORMATS, LOGGING

SECRET_KEY = required("SECRET_KEY", "50 random characters, and never change it")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
# Avoid the usual admin path; `manage.py set_up` prints this path.
ADMIN_PATH = env("DATAFORT_ADMIN_PATH", default="").strip("/") or (
    "site-" + sha256(f"admin path of {SECRET_KEY}".encode()).hexdigest()[:12]
)

PUBLIC_URL = urlsplit(
    required("DATAFORT_PUBLIC_URL", "the address of this site, such as https://play.example")
)
ALLOWED_HOSTS = [PUBLIC_URL.hostname or ""]
CSRF_TRUSTED_ORIGINS = [f"{PUBLIC_URL.scheme}://{PUBLIC_URL.netloc}"]

SECURE_SSL_REDIRECT = True
SECURE_HSTS_SECONDS = 365 * 24 * 3600
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
if ALLAUTH_TRUSTED_PROXY_COUNT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_SECURE = True
SESSION_COOKIE_NAME = "__Host-session"
CSRF_COOKIE_SECURE = True
CSRF_COOKIE_NAME = "__Host-csrf"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https"

# JSON lines for log collectors.
LOGGING["handlers"]["console"]["formatter"] = one_of(
    "DATAFORT_LOG_FORMAT", default="json", choices=LOG_FORMATS
)
