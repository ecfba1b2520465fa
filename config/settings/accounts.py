"""Accounts: login, two-factor authentication and email."""

from config.settings.environment import env, mail_server, switch, whole_number

AUTH_USER_MODEL = "players.User"
# A single backend: with Django's as well, every wrong password would be hashed twice.
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "players.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "players:me"
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
# A shop's computer has no mail server, so nothing depends on email.
ACCOUNT_EMAIL_VERIFICATION = "none"
# Sign-up accepts an address that belongs to another account and emails a notice to that address.
# The response never reveals which addresses are registered.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_LOGOUT_ON_GET = False
# A hall of phones shares an address, so the limits protect accounts: passwords in
# players.logins, the second factor here. A passkey cannot be guessed.
ACCOUNT_RATE_LIMITS = {
    "login_failed": "5/5m/key,600/5m/ip",
    "login": "600/5m/ip",
    "signup": "600/5m/ip",
}
ACCOUNT_ADAPTER = "players.adapter.AccountAdapter"
ACCOUNT_FORMS = {"login": "players.forms.LoginForm", "signup": "players.forms.SignupForm"}
ACCOUNT_USERNAME_VALIDATORS = "players.forms.USERNAME_VALIDATORS"
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Datafort: "
ACCOUNT_REAUTHENTICATION_TIMEOUT = 600
# An email address added to an account can receive password resets.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
MFA_ADAPTER = "players.adapter.MFAAdapter"
# Keys that encrypt two-factor and webhook secrets (core.encryption), newest first. If empty, a key
# file is created next to the secret key.
ENCRYPTION_KEYS = env.list("DATAFORT_ENCRYPTION_KEYS", default=[])
MFA_TOTP_ISSUER = "Datafort"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_FORMS = {
    "add_webauthn": "players.forms.AddPasskeyForm",
    "authenticate_webauthn": "players.forms.PasskeyForm",
    "login_webauthn": "players.forms.PasskeyLoginForm",
    "reauthenticate_webauthn": "players.forms.PasskeyAgainForm",
}
# A passkey cannot be guessed, and a hall of phones shares an address.
MFA_RATE_LIMITS = {"webauthn_login": "1200/5m/ip"}
# Email addresses are never verified here, so two-factor setup must not require it.
MFA_ALLOW_UNVERIFIED_EMAIL = True
# Allow password logins of staff over unencrypted HTTP.
ALLOW_PLAIN_LOGINS = switch("DATAFORT_PLAIN_LOGINS")
# Lets apps below tournaments check if an account helps to run an event.
HAS_A_ROLE = "tournaments.event.permissions.has_a_role"
# Function that returns the account or guest of a request, for core.rate_limits.
COUNTED_PERSON = "tournaments.web.access.counted_person"
# Lets apps below tournaments find the local rulings that a reader may see.
LOCAL_RULINGS_FOR = "tournaments.event.visibility.local_rulings_for"
# Path of the Django admin.
ADMIN_PATH = env("DATAFORT_ADMIN_PATH", default="admin").strip("/")
# Site administrators need a second factor.
ADMIN_NEEDS_SECOND_FACTOR = True
# Number of proxies that append to X-Forwarded-For. With 0 the header is ignored.
ALLAUTH_TRUSTED_PROXY_COUNT = whole_number("DATAFORT_PROXIES", default=0, least=0, most=100)
# Mail server with its account; without a URL emails are printed. Special characters in the password
# are percent-encoded.
MAIL = mail_server("DATAFORT_EMAIL_URL")
EMAIL_BACKEND = env("DATAFORT_EMAIL_BACKEND", default=MAIL["EMAIL_BACKEND"])
EMAIL_HOST, EMAIL_PORT = MAIL["EMAIL_HOST"] or "localhost", MAIL["EMAIL_PORT"] or 25
EMAIL_HOST_USER = MAIL["EMAIL_HOST_USER"] or ""
EMAIL_HOST_PASSWORD = MAIL["EMAIL_HOST_PASSWORD"] or ""
EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL.get("EMAIL_USE_TLS", False), MAIL.get("EMAIL_USE_SSL", False)
# Sender of emails. Mail servers reject addresses of foreign domains.
DEFAULT_FROM_EMAIL = env("DATAFORT_EMAIL_FROM", default="datafort@localhost")
# Seconds per response of the mail server. An email must take less time than core.jobs.LEASE.
EMAIL_TIMEOUT = 5
