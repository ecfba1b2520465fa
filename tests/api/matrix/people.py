"""Events, series, players, people and their decks."""

from collections.abc import Mapping
from typing import Any

from tests.api.matrix.rows import (
    ALL,
    DESK,
    JUDGE,
    LOGGED_IN,
    OWN,
    OWNERS,
    PAID,
    PLAYERS,
    RUN,
    Row,
)

SOMEBODY = LOGGED_IN | {"player"}
GUEST = frozenset({"player"})
NO_ACCOUNT = {"player": "401"}
CHECK: Mapping[str, Any] = {
    "pk": lambda scene: scene.event.deck_check_draws.get().checks.latest("pk").pk
}

EVENT = {
    "POST events": Row(LOGGED_IN, but=NO_ACCOUNT),
    "DELETE event": Row(OWNERS),
    "GET settings": Row(RUN),
    "PATCH settings": Row(RUN),
    "POST finish": Row(RUN),
    "POST reopen": Row(OWNERS),
    "GET joining": Row(DESK),
    "GET stages": Row(DESK),
}
MY_SERIES: Mapping[str, Any] = {"series": lambda scene: scene.event.series.slug}
SERIES = {
    "GET series_list": Row(),
    # The owner of the event owns its series, which has no other staff.
    "GET series": Row(ids=MY_SERIES),
    "GET series_table": Row(ids=MY_SERIES),
    "GET series_statistics": Row(ids=MY_SERIES),
    "GET series_qualified": Row(ids=MY_SERIES),
    "GET series_events": Row(ids=MY_SERIES),
}
ROSTER = {
    "GET registrations": Row(DESK),
    "POST registrations": Row(RUN),
    "POST check_in_many": Row(DESK),
    "POST registration_lists": Row(RUN),
    "GET registration": Row(DESK),
    "PATCH registration": Row(RUN),
    "DELETE registration": Row(RUN),
    "POST check_in": Row(DESK),
    "POST undo_check_in": Row(DESK),
    "POST paid": Row(PAID),
    "POST drop": Row(RUN),
    "POST return": Row(RUN),
    "POST claim_link": Row(RUN),
    "POST claim_links": Row(RUN),
    "POST rename": Row(RUN),
}
ME = {
    "GET profile": Row(SOMEBODY),
    "PATCH profile": Row(SOMEBODY),
    "GET my_events": Row(SOMEBODY),
    "POST claims": Row(ALL),
    "POST join": Row(ALL),
    "POST join_event": Row(SOMEBODY),
    "GET me": Row(PLAYERS, OWN),
    "POST my_check_in": Row(PLAYERS, OWN),
    "POST my_drop": Row(PLAYERS, OWN),
    "POST my_return": Row(PLAYERS, OWN),
    "GET my_deck": Row(PLAYERS, OWN),
    "PUT my_deck": Row(PLAYERS, OWN),
    "POST my_deck_lock": Row(GUEST, OWN),
}
PERSON: Mapping[str, Any] = {"pk": lambda scene: scene.player.player_id, "game": "onr"}
ACROSS_EVENTS = {
    "GET person": Row(ids=PERSON),
    "GET person_events": Row(ids=PERSON),
    "GET opponents": Row(ids=PERSON),
}
DECKS = {
    "GET decks": Row(),
    "POST event_deck_check": Row(PLAYERS | JUDGE),
    "POST decks_lock": Row(RUN),
    "POST decks_reopen": Row(RUN),
    "POST decks_reveal": Row(RUN),
    "GET deck": Row(GUEST | JUDGE, "hidden"),
    "PUT deck": Row(JUDGE),
    "POST deck_lock": Row(JUDGE),
    "POST deck_unlock": Row(JUDGE),
    "GET deck_problems": Row(DESK),
    "GET deck_file": Row(GUEST | JUDGE, "hidden", ids={"form": "plain_text"}),
    "GET deck_checks": Row(JUDGE),
    "POST deck_checks": Row(JUDGE),
    "GET deck_check_of": Row(JUDGE, ids=CHECK),
    "PUT deck_check_of": Row(JUDGE, ids=CHECK),
}
ROWS = {**EVENT, **SERIES, **ROSTER, **ME, **ACROSS_EVENTS, **DECKS}
