"""Settings of W1: the production site with the URLs of tools.bench.constant_urls."""

from config.settings.embedded import *  # noqa: F403

ROOT_URLCONF = "tools.bench.constant_urls"
