"""Rows of the permission table, and the outcome that they imply for each actor."""

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
# The players at table 1 of round 2; the bystander sits at table 2.
SEATED = frozenset({"player", "opponent"})
PLAYERS = SEATED | {"bystander"}

# Refusals: 401 for strangers and 403 for others; 404; 401 for strangers and 404 for others.
DOOR, HIDDEN, OWN = "door", "hidden", "own"
ANY_TOKEN = ""
SCOPES = ("read", "results", "manage")
Ids = Mapping[str, Any]


@dataclass(frozen=True)
class Row:
    """The permitted actors of an operation, and the refusal of the others.

    `scope` is required of a token: by default READ to read and MANAGE to write, or ANY_TOKEN.
    `ids` fill the address: values, or functions of the scene. `but` lists exceptions by actor.
    `foreign` is the outcome for the owner of another event, with these rows under its slug.
    """

    may: frozenset[str] = ALL
    refusal: str = DOOR
    scope: str | None = None
    body: Mapping[str, Any] | Callable[[Any], Any] = field(default_factory=dict)
    ids: Ids = field(default_factory=dict)
    but: Mapping[str, str] = field(default_factory=dict)
    foreign: str = "404"


def expected(actor: str, method: str, template: str, row: Row) -> str:
    """The outcome for the actor: "ok", "401", "403" or "404"."""
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
