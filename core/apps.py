from django.apps import AppConfig
from django.core import checks


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        from core import web_push

        checks.register(web_push.problems)
