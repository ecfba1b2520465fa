from django.apps import AppConfig
from django.core import checks
from django.db.models.signals import post_migrate, pre_migrate


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        from core import checks as own
        from core import migrating, web_push

        checks.register(web_push.problems)
        checks.register(own.problems, own.TAG)
        pre_migrate.connect(migrating.begin)
        post_migrate.connect(migrating.end)
