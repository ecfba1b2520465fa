"""An event in its second round with everybody's sessions, created inside the site, as JSON.

python -m tools.load.scene 500
"""

import json
import os
import secrets
import sys
from typing import Any

import django


def main(players: int) -> dict[str, Any]:
    """Round 1 is closed, round 2 is running; the sessions are those of players and staff."""
    from tests.factories import tournaments as factory
    from tournaments.rounds import services as rounds_services

    owner, scorekeeper = (f"{role}-{secrets.token_hex(4)}" for role in ("owner", "scorekeeper"))
    event = factory.make_event(
        players, name="Under load", owner=factory.make_user(owner), round_minutes=65
    )
    factory.play_round(event)
    round_ = factory.draft_round(event)
    rounds_services.publish_round(round_, factory.owner_of(event))
    return {
        "slug": event.slug,
        "round": round_.number,
        "owner": _account(factory.owner_of(event).user),
        "scorekeeper": _account(factory.add_staff(event, "scorekeeper", scorekeeper)),
        "players": [_guest(entry.player) for entry in event.registrations.select_related("player")],
    }


def _account(user: Any) -> str:
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    [backend] = settings.AUTHENTICATION_BACKENDS
    session_data = {
        SESSION_KEY: str(user.pk),
        BACKEND_SESSION_KEY: backend,
        HASH_SESSION_KEY: user.get_session_auth_hash(),
    }
    return _session(session_data)


def _guest(player: Any) -> str:
    from players.sessions import GUEST_KEY

    return _session({GUEST_KEY: [player.pk, player.claim_generation]})


def _session(session_data: dict[str, Any]) -> str:
    from importlib import import_module

    from django.conf import settings

    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store.update(session_data)
    store.create()
    return str(store.session_key)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")
    django.setup()
    sys.stdout.write("\n" + json.dumps(main(int(sys.argv[1]))) + "\n")
