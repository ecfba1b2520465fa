"""The one big next thing at the desk, as data."""

from dataclasses import dataclass
from enum import StrEnum

from tournaments.models import Job, Pairing


class StepKind(StrEnum):
    ADD_PLAYERS = "add_players"
    OPEN_REGISTRATION = "open_registration"
    SEAT = "seat"
    CHECK_IN = "check_in"
    CHECK_IN_ALL = "check_in_all"
    PAIR = "pair"
    PAIR_WITHOUT_THEM = "pair_without_them"
    PAIRING = "pairing"
    RETRY = "retry"
    DRAFT = "draft"
    START = "start"
    DECIDE = "decide"
    RESULTS = "results"
    GO_ON_WITHOUT = "go_on_without"
    CLOSE = "close"
    MAKE_CUT = "make_cut"
    SAY_WHO = "say_who"
    FINISH = "finish"
    FINISHED = "finished"


@dataclass(frozen=True)
class Step:
    """The one big next thing; `others` are ways beside it.

    `round_number` is the round it is about; `tables` are those it waits for.
    """

    kind: StepKind
    title: str
    text: str = ""
    round_number: int | None = None
    tables: tuple[Pairing, ...] = ()
    job: Job | None = None
    others: tuple["Step", ...] = ()
