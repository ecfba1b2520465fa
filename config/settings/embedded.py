"""One machine in a shop: `make run`. Nothing to configure.

The secret key is made once and kept beside the database, readable by its
owner only.
"""

from config.settings.base import *  # noqa: F403
from config.settings.base import CELERY_TASK_ALWAYS_EAGER, VAR_DIR, env
from core.secret_key import kept_secret_key

SECRET_KEY = env("SECRET_KEY", default="") or kept_secret_key(VAR_DIR / "secret_key")
# A hall reaches the shop's machine by whatever address it has on the network.
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["*"])
# Without workers there is no beat either: the web server keeps the schedule itself.
TICKS_IN_PROCESS = CELERY_TASK_ALWAYS_EAGER
