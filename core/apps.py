from django.apps import AppConfig
from django.core import checks


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        from core import checks as own
        from core import web_push

        checks.register(web_push.problems)
        checks.register(own.problems, own.TAG)
