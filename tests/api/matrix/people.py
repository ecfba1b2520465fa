"""Events, their staff, their players and the decks these hand in."""

from collections.abc import Mapping
from typing import Any

from tests.api.matrix.rows import (
    ADMINISTRATORS,
    ALL,
    BOUND,
    DEAD,
    DESK,
    JUDGE,
    LOGGED_IN,
    NOBODY,
    OWN,
    OWNERS,
    PAID,
    PLAYERS,
    RUN,
    Row,
)
from tournaments.models import PlayerMerge

SOMEBODY = LOGGED_IN | {"player"}
GUEST = frozenset({"player"})
NO_ACCOUNT = {"player": "401"}
NOT_BOUND = dict.fromkeys(sorted(BOUND - DEAD), "403")
RECEIPT: Mapping[str, Any] = {"receipt": 1}
MEMBER: Mapping[str, Any] = {"pk": lambda scene: scene.event.staff.get(role="judge").pk}
INVITATION: Mapping[str, Any] = {"pk": lambda scene: scene.event.invitations.get().pk}
CHECK: Mapping[str, Any] = {
    "pk": lambda scene: scene.event.deck_check_draws.get().checks.latest("pk").pk
}
ONE_LIST = dict.fromkeys(JUDGE, "404")
"""There are no two receipts to compare."""

EVENT = {
    "POST events": Row(LOGGED_IN, but=NO_ACCOUNT),
    "PATCH event": Row(RUN),
    "DELETE event": Row(OWNERS),
    "GET settings": Row(RUN),
    "PATCH settings": Row(RUN),
    "POST finish": Row(RUN),
    "POST reopen": Row(OWNERS),
    "GET corrections": Row(),
    "GET joining": Row(DESK),
    "GET stages": Row(DESK),
    "GET staff": Row(RUN),
    "POST staff": Row(OWNERS),
    "DELETE staff_member": Row(OWNERS, ids=MEMBER),
    "POST hand_over": Row(OWNERS, ids=MEMBER),
    "GET invitations": Row(RUN),
    "POST invitations": Row(OWNERS),
    "DELETE invitation": Row(OWNERS, ids=INVITATION),
    "POST invitation_accept": Row(LOGGED_IN, but=NO_ACCOUNT),
    "GET announcing": Row(RUN),
    "PUT announcing": Row(RUN),
    "POST announcing_test": Row(RUN),
    "GET meeting": Row(),
    "POST meeting": Row(RUN),
    "DELETE meeting": Row(RUN),
    "GET practice": Row(RUN),
    "POST practice": Row(RUN, but={"manage_token": "403"}),
    "DELETE practice": Row(OWNERS),
    "POST practice_play": Row(RUN),
}
MY_SERIES: Mapping[str, Any] = {"series": lambda scene: scene.event.series.slug}
PLAN: Mapping[str, Any] = {**MY_SERIES, "pk": lambda scene: scene.event.series.plans.get().pk}
ORGANISER: Mapping[str, Any] = {**MY_SERIES, "pk": lambda scene: scene.event.series.staff.get().pk}
INVITED: Mapping[str, Any] = {"pk": lambda scene: scene.event.invited.get().pk}
COUNTS: Mapping[str, Any] = {**MY_SERIES, "event": lambda scene: scene.event.slug}
SERIES = {
    "GET series_list": Row(),
    "POST series_list": Row(LOGGED_IN, but=NO_ACCOUNT),
    # The owner of the event owns its series, where nobody else has a role.
    "GET series": Row(ids=MY_SERIES),
    "PATCH series": Row(OWNERS, ids=MY_SERIES),
    "DELETE series": Row(OWNERS, ids=MY_SERIES),
    "GET series_table": Row(ids=MY_SERIES),
    "GET series_statistics": Row(ids=MY_SERIES),
    "GET series_qualified": Row(ids=MY_SERIES),
    "GET series_tied": Row(ids=MY_SERIES),
    "POST series_qualified": Row(OWNERS, ids=MY_SERIES),
    "GET series_events": Row(ids=MY_SERIES),
    "POST series_events": Row(OWNERS, ids=MY_SERIES),
    "DELETE series_event": Row(OWNERS, ids=COUNTS),
    "GET series_staff": Row(OWNERS, ids=MY_SERIES),
    "POST series_staff": Row(OWNERS, ids=MY_SERIES),
    "DELETE series_member": Row(OWNERS, ids=ORGANISER),
    "POST series_hand_over": Row(OWNERS, ids=ORGANISER),
    "GET plans": Row(OWNERS, ids=MY_SERIES),
    "POST plans": Row(OWNERS, ids=MY_SERIES),
    "PUT plan": Row(OWNERS, ids=PLAN),
    "PATCH plan": Row(OWNERS, ids=PLAN),
    "DELETE plan": Row(OWNERS, ids=PLAN),
    "POST again": Row(RUN, but={"manage_token": "403"}),
    "GET invited": Row(RUN),
    "PATCH invited_player": Row(RUN, ids=INVITED),
    "DELETE invited_player": Row(RUN, ids=INVITED),
}
ROSTER = {
    "GET registrations": Row(DESK),
    "POST registrations": Row(RUN),
    "POST check_in_many": Row(DESK),
    "POST seed_by_rating": Row(RUN),
    "POST registration_lists": Row(RUN),
    "POST registration_guests": Row(RUN),
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
    "POST merge": Row(RUN),
    "POST move_up": Row(RUN),
    "POST waiting_place": Row(RUN),
    "GET day_two": Row(DESK),
    "POST day_two_open": Row(RUN),
    "POST day_two_close": Row(RUN),
    "POST day_two_drop": Row(RUN),
    "POST let_in": Row(RUN),
    "POST scan": Row(DESK),
}
ME = {
    "GET profile": Row(SOMEBODY),
    "PATCH profile": Row(SOMEBODY),
    "GET my_data": Row(SOMEBODY, but=NOT_BOUND),
    "GET my_privacy": Row(PLAYERS, OWN, but=NOT_BOUND),
    "PATCH my_privacy": Row(PLAYERS, OWN),
    "GET my_records": Row(LOGGED_IN, but={**NO_ACCOUNT, **NOT_BOUND}),
    "POST my_records": Row(LOGGED_IN, but=NO_ACCOUNT, body={"secret": "none"}),
    "POST stay": Row(PLAYERS, OWN),
    "GET my_events": Row(SOMEBODY),
    "POST claims": Row(ALL),
    "POST join": Row(ALL),
    "POST join_event": Row(SOMEBODY),
    "GET me": Row(PLAYERS, OWN),
    "POST my_check_in": Row(PLAYERS, OWN),
    "POST my_drop": Row(PLAYERS, OWN),
    "POST my_return": Row(PLAYERS, OWN),
    "PATCH my_wishes": Row(PLAYERS, OWN),
    "GET my_news": Row(PLAYERS, OWN),
    "PUT my_mail": Row(PLAYERS, OWN),
    "PUT my_phone": Row(PLAYERS, OWN),
    "GET my_deck": Row(PLAYERS, OWN),
    "PUT my_deck": Row(PLAYERS, OWN),
    "POST my_deck_lock": Row(GUEST, OWN),
    "GET my_deck_receipt": Row(GUEST, OWN, ids=RECEIPT),
    "GET my_deck_difference": Row(NOBODY, OWN),
}
PERSON: Mapping[str, Any] = {"pk": lambda scene: scene.mine.player_id, "game": "onr"}
MERGED: Mapping[str, Any] = {"pk": lambda scene: PlayerMerge.objects.get().pk}
ACROSS_EVENTS = {
    "GET person": Row(ids=PERSON),
    "GET person_events": Row(ids=PERSON),
    "GET opponents": Row(ids=PERSON),
    "GET merges": Row(ADMINISTRATORS, but=NO_ACCOUNT),
    "POST merges": Row(ADMINISTRATORS, but=NO_ACCOUNT),
    "POST undo_merge": Row(ADMINISTRATORS, OWN, ids=MERGED, but=NO_ACCOUNT),
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
    "POST deck_waiver": Row(JUDGE),
    "DELETE deck_waiver": Row(JUDGE),
    "GET deck_receipt": Row(JUDGE, ids=RECEIPT),
    "GET deck_difference": Row(NOBODY, but=ONE_LIST),
    "GET deck_file": Row(GUEST | JUDGE, "hidden", ids={"form": "plain_text"}),
    "GET audiences": Row(RUN),
    "PUT audiences": Row(RUN),
    "GET audiences_preview": Row(RUN),
    "GET deck_checks": Row(JUDGE),
    "POST deck_checks": Row(JUDGE),
    "GET deck_check_of": Row(JUDGE, ids=CHECK),
    "PUT deck_check_of": Row(JUDGE, ids=CHECK),
}
ROWS = {**EVENT, **SERIES, **ROSTER, **ME, **ACROSS_EVENTS, **DECKS}
