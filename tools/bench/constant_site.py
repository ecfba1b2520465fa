"""Settings of W1: the site as it is served, with the addresses of tools.bench.constant_urls."""

from config.settings.embedded import *  # noqa: F403

ROOT_URLCONF = "tools.bench.constant_urls"
