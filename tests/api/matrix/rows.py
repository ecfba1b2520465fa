"""What a row of the table says, and what follows from it for everybody who might ask."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

ACCOUNTS = (
    *("stranger", "opponent", "bystander", "streamer", "judge", "head_judge"),
    *("scorekeeper", "organiser", "owner", "administrator"),
)
PEOPLE = ("anonymous", "player", *ACCOUNTS)
# Tokens of the organiser. The first three are bound to the event, the last two open nothing.
SCOPE_OF = {
    "read_token": "read",
    "results_token": "results",
    "manage_token": "manage",
    "unbound_token": "manage",
    "token_elsewhere": "manage",
    "expired_token": "manage",
    "revoked_token": "manage",
}
BOUND = frozenset(SCOPE_OF) - {"unbound_token"}
DEAD = frozenset({"expired_token", "revoked_token"})

ALL = frozenset(PEOPLE)
LOGGED_IN = frozenset(ACCOUNTS)
ADMINISTRATORS = frozenset({"administrator"})
OWNERS = ADMINISTRATORS | {"owner"}
RUN = OWNERS | {"organiser"}
SCORE = RUN | {"scorekeeper", "head_judge"}
PAID = RUN | {"scorekeeper"}
JUDGE = RUN | {"judge", "head_judge"}
DESK = SCORE | JUDGE
SEATED = frozenset({"player", "opponent"})
"""Who sits at table 1 of round 2; the bystander sits at table 2."""
PLAYERS = SEATED | {"bystander"}

DOOR, HIDDEN, OWN = "door", "hidden", "own"
"""How the others are refused: 401 for who is nobody and 403 for the rest; 404; 401 and 404."""
ANY_TOKEN = ""
SCOPES = ("read", "results", "manage")
Ids = Mapping[str, Any]


@dataclass(frozen=True)
class Row:
    """Who may do this, and how the others are refused.

    `scope` is what a token must be good for (unless given, READ to read and MANAGE to write;
    ANY_TOKEN where it is not asked). `body` is sent. `ids` fill the address, each a value or
    what makes one of the scene. `but` names the odd ones: what an actor is answered instead.
    `foreign` is what the owner of another event gets for these rows under their own slug.
    """

    may: frozenset[str] = ALL
    refusal: str = DOOR
    scope: str | None = None
    body: Mapping[str, Any] | Callable[[Any], Any] = field(default_factory=dict)
    ids: Ids = field(default_factory=dict)
    but: Mapping[str, str] = field(default_factory=dict)
    foreign: str = "404"


def expected(actor: str, method: str, template: str, row: Row) -> str:
    """What the row says the actor is answered: "ok", "401", "403" or "404"."""
    if actor in row.but:
        return row.but[actor]
    if actor not in SCOPE_OF:
        return _person(actor, row)
    if actor in DEAD:
        return "401"
    if not _covers(actor, method, template, row):
        return "403"
    if actor == "token_elsewhere" and "<slug:slug>" in template and is_of_an_event(template):
        return "404"
    return row.but.get("organiser") or _person("organiser", row)


def is_of_an_event(template: str) -> bool:
    """Whether the address is below an event."""
    return template.startswith("events/<slug:slug>/")


def _person(actor: str, row: Row) -> str:
    if actor in row.may:
        return "ok"
    if row.refusal == HIDDEN:
        return "404"
    if actor == "anonymous":
        return "401"
    return "403" if row.refusal == DOOR else "404"


def _covers(actor: str, method: str, template: str, row: Row) -> bool:
    needed = row.scope if row.scope is not None else "read" if method == "GET" else "manage"
    if needed == ANY_TOKEN:
        return True
    # A token of one event writes nowhere else.
    if actor in BOUND and method != "GET" and not is_of_an_event(template):
        return False
    return SCOPES.index(SCOPE_OF[actor]) >= SCOPES.index(needed)
