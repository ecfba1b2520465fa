from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig


class PlayersConfig(AppConfig):
    name = "players"

    def ready(self) -> None:
        from players import receivers  # noqa: F401 - connects itself


class AdminConfig(SimpleAdminConfig):
    default_site = "players.admin_site.DatafortAdminSite"
