from typing import Any

from django.core.management.base import BaseCommand

from core import web_push


class Command(BaseCommand):
    help = "Print a new DATAFORT_PUSH_KEY and its public key, which browsers use."
    requires_system_checks = []
    requires_migrations_checks = False

    def handle(self, *args: Any, **options: Any) -> None:
        key = web_push.new_private_key()
        self.stdout.write(f"DATAFORT_PUSH_KEY={key}")
        self.stdout.write(f"# public: {web_push.public_key(key)}")
