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
        from core import database, logs, private_files

        logs.configure()
        signals.bind_extra_request_finished_metadata.connect(logs.add_request_id)
        signals.bind_extra_request_finished_metadata.connect(logs.mark_repeated_refusal)
        signals.update_failure_response.connect(logs.add_request_id)
        checks.register(check_push, own.START_TAG)
        checks.register(own.check_settings, own.START_TAG)
        checks.register(own.check_file_modes, own.START_TAG, deploy=True)
        connection_created.connect(private_files.protect_database)
        pre_migrate.connect(database.lift_statement_limits)
        post_migrate.connect(database.restore_statement_limits)


def check_push(**_: Any) -> list[checks.Error]:
    """System check that loads cryptography only when checks run."""
    from core import web_push

    return web_push.check_push_settings()
