"""Public reads of an event, files, ratings and webhooks."""

from typing import Any

from tests.api.matrix.rows import LOGGED_IN, RUN, Row

ADDRESS = {"url": "https://hooks.example/x", "events": ["round.closed"]}


def _rated(scene: Any) -> int:
    player: int = scene.player.player_id
    return player


def _webhook(scene: Any) -> int:
    webhook_id: int = scene.event.webhooks.get().pk
    return webhook_id


def _message(scene: Any) -> str:
    return str(scene.event.webhooks.get().deliveries.first().uid)


OF_ONE = {"pk": _webhook}

ROWS: dict[str, Row] = {
    "GET events": Row(),
    "GET event": Row(),
    "GET players": Row(),
    "GET needs": Row(),
    "GET standings": Row(),
    "GET statistics": Row(),
    "GET site_statistics": Row(foreign="ok"),
    "GET rounds": Row(),
    "GET round": Row(),
    "GET pairings": Row(),
    "GET exports": Row(),
    "GET export": Row(ids={"form": "nrtm"}, foreign="ok"),
    "POST imports": Row(LOGGED_IN, but={"player": "401"}),
    "GET ratings": Row(ids={"game": "onr"}),
    "GET rating_history": Row(ids={"game": "onr", "pk": _rated}),
    "GET webhooks": Row(RUN),
    "POST webhooks": Row(RUN, body=ADDRESS),
    "GET webhook": Row(RUN, ids=OF_ONE),
    "PATCH webhook": Row(RUN, ids=OF_ONE, body={"is_on": False}),
    "DELETE webhook": Row(RUN, ids=OF_ONE),
    "POST webhook_test": Row(RUN, ids=OF_ONE),
    "POST webhook_secret": Row(RUN, ids=OF_ONE),
    "GET deliveries": Row(RUN, ids=OF_ONE),
    "POST delivery_again": Row(RUN, ids={**OF_ONE, "uid": _message}),
}
