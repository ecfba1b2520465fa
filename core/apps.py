from django.apps import AppConfig
from django.core import checks
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, pre_migrate


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        from core import checks as own
        from core import durability, migrating, private_files, web_push

        checks.register(web_push.problems)
        checks.register(own.problems, own.TAG)
        checks.register(own.open_files, own.TAG, deploy=True)
        connection_created.connect(durability.commit_early)
        connection_created.connect(private_files.close_database)
        pre_migrate.connect(migrating.begin)
        post_migrate.connect(migrating.end)
