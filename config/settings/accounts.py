"""How people log in, their second factors, and the mails they get."""

from config.settings.environment import env, mail_server, switch, whole_number

AUTH_USER_MODEL = "players.User"
# It is Django's as well: beside that one each wrong password would be hashed twice.
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
# A shop's computer has no mail server; nothing waits for a mail.
ACCOUNT_EMAIL_VERIFICATION = "none"
# Sign-up takes an address that another account has, and a mail to it says so: nobody learns from
# the answer whose address is known here.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_LOGOUT_ON_GET = False
# A hall of phones shares one address: an account is what is protected, its password by
# players.login_tries, its second factor here. A passkey cannot be guessed.
ACCOUNT_RATE_LIMITS = {
    "login_failed": "5/5m/key,600/5m/ip",
    "login": "600/5m/ip",
    "signup": "600/5m/ip",
}
ACCOUNT_ADAPTER = "players.adapter.AccountAdapter"
ACCOUNT_FORMS = {"login": "players.forms.LoginForm", "signup": "players.forms.SignupForm"}
ACCOUNT_USERNAME_VALIDATORS = "players.forms.USERNAMES"
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Datafort: "
ACCOUNT_REAUTHENTICATION_TIMEOUT = 600
# Whoever adds a mail address to an account can have a new password sent there.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
MFA_ADAPTER = "players.adapter.MFAAdapter"
# What encrypts secrets of second factors and webhooks (core.encryption), the newest key first;
# without any a key is made beside the secret key.
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
# A key cannot be guessed; a hall of phones shares one address.
MFA_RATE_LIMITS = {"webauthn_login": "1200/5m/ip"}
# Mail is never verified here, so a second factor cannot wait for that.
MFA_ALLOW_UNVERIFIED_EMAIL = True
# Whether staff may log in by password where others in the network can read along.
ALLOW_PLAIN_LOGINS = switch("DATAFORT_PLAIN_LOGINS")
# Who helps to run an event, for what knows of no events.
HAS_A_ROLE = "tournaments.event.queries.events.has_a_role"
# Function that returns the account or guest of a request, for core.rate_limits.
COUNTED_PERSON = "tournaments.web.views.access.counted_person"
# Which local rulings somebody may read, for what knows of no events.
LOCAL_RULINGS_FOR = "tournaments.event.visibility.local_rulings_for"
# Where the administration answers, below the site's address.
ADMIN_PATH = env("DATAFORT_ADMIN_PATH", default="admin").strip("/")
# Administrators of the site act as such only with a second factor.
ADMIN_NEEDS_SECOND_FACTOR = True
# How many proxies before the site append to X-Forwarded-For; none is believed otherwise.
ALLAUTH_TRUSTED_PROXY_COUNT = whole_number("DATAFORT_PROXIES", default=0, least=0, most=100)
# The mail server with its account; without one mails are printed. A password is written as in an
# address: what is neither a letter nor a digit as %XX.
MAIL = mail_server("DATAFORT_EMAIL_URL")
EMAIL_BACKEND = env("DATAFORT_EMAIL_BACKEND", default=MAIL["EMAIL_BACKEND"])
EMAIL_HOST, EMAIL_PORT = MAIL["EMAIL_HOST"] or "localhost", MAIL["EMAIL_PORT"] or 25
EMAIL_HOST_USER = MAIL["EMAIL_HOST_USER"] or ""
EMAIL_HOST_PASSWORD = MAIL["EMAIL_HOST_PASSWORD"] or ""
EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL.get("EMAIL_USE_TLS", False), MAIL.get("EMAIL_USE_SSL", False)
# Whom mails come from. Servers refuse what they do not know as theirs.
DEFAULT_FROM_EMAIL = env("DATAFORT_EMAIL_FROM", default="datafort@localhost")
# Seconds for each answer of the mail server, so that a mail takes less than core.jobs.LEASE.
EMAIL_TIMEOUT = 5
