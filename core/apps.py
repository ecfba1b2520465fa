from typing import Any

import django_stubs_ext
from django.apps import AppConfig
from django.core import checks
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, pre_migrate

django_stubs_ext.monkeypatch()  # lets forms and admins name the model they are for


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        from django_structlog import signals

        from core import checks as own
        from core import logs, migration_timeouts, private_files

        logs.configure()
        signals.bind_extra_request_finished_metadata.connect(logs.add_request_id)
        signals.bind_extra_request_finished_metadata.connect(logs.mark_repeated_refusal)
        signals.update_failure_response.connect(logs.add_request_id)
        checks.register(push_problems, own.TAG)
        checks.register(own.problems, own.TAG)
        checks.register(own.open_files, own.TAG, deploy=True)
        connection_created.connect(private_files.close_database)
        pre_migrate.connect(migration_timeouts.begin)
        post_migrate.connect(migration_timeouts.end)


def push_problems(**_: Any) -> list[checks.Error]:
    """System check that loads cryptography only when checks run."""
    from core import web_push

    return web_push.problems()
