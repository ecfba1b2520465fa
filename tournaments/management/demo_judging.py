"""What the judges of the demo event did: calls answered with rulings, and some penalties."""

from dataclasses import dataclass

from rulings.models import RulingVersion
from rulings.queries import version_by_code
from tournaments.event import queries
from tournaments.event.actors import Actor
from tournaments.judging.services import calls, penalties
from tournaments.judging.services.calls import Answer
from tournaments.management.rehearsal import Rehearsal
from tournaments.models import Pairing, Penalty, Registration, Tournament

SLOW, LATE, UNTIDY, ILLEGAL = "slow-play", "late", "report-wrong", "illegal-deck"
SPOKEN_TO, CAME_LATE, ALL_A_MISTAKE, LOSES_A_GAME = 1, 2, 3, 4
"""Tables of round 3; always about the player on the second seat."""


@dataclass(frozen=True)
class Question:
    """A call of the player on the first seat, and its answer."""

    table: int
    about: str
    answer: str
    cited: tuple[str, ...] = ()
    minutes: int = 0


QUESTIONS = (
    Question(
        1,
        "Can a trace with no bits in it succeed?",
        "It can. We looked it up together, and the run went on from there.",
        ("tracing-1", "tracing-2"),
        2,
    ),
    Question(3, "The Corp drew one card too many", "Put back at random; both agreed which turn."),
)


def make(rehearsal: Rehearsal, judge: Actor) -> None:
    """Judge the round that is played now."""
    round_ = queries.latest_round(rehearsal.tournament)
    assert round_ is not None
    tables = {one.table_number: one for one in rehearsal.tables(round_)}
    for question in QUESTIONS:
        _answer(rehearsal.tournament, tables[question.table], question, judge)
    for _ in range(2):
        _give(rehearsal.tournament, tables[SPOKEN_TO], judge, SLOW, "Four minutes over one turn.")
    _give(rehearsal.tournament, tables[CAME_LATE], judge, LATE, "Six minutes after the start.")
    wrong = _give(rehearsal.tournament, tables[ALL_A_MISTAKE], judge, UNTIDY, "Told a 7 as a 1.")
    penalties.withdraw(wrong, judge, "It was the opponent who told it.")
    found = "One card more than the list; it was put right before game 2."
    _give(rehearsal.tournament, tables[LOSES_A_GAME], judge, ILLEGAL, found, game=1)


def _answer(tournament: Tournament, pairing: Pairing, question: Question, judge: Actor) -> None:
    assert pairing.match is not None
    seat = pairing.match.seats.select_related("player").get(position=1)
    call = calls.raise_call(pairing, Actor(player=seat.player), question.about)
    calls.take(tournament, call, judge)
    said = Answer(question.answer, _versions(question.cited), question.minutes)
    calls.answer(tournament, call, judge, said)


def _versions(codes: tuple[str, ...]) -> list[RulingVersion]:
    """Those of them the site knows: the demo can be made before the rulings are loaded."""
    found = (version_by_code(code) for code in codes)
    return [version for version in found if version is not None]


def _give(
    tournament: Tournament,
    pairing: Pairing,
    judge: Actor,
    infraction: str,
    text: str,
    game: int | None = None,
) -> Penalty:
    place = _on_second_seat(tournament, pairing)
    return penalties.give(
        tournament, place, judge, infraction=infraction, pairing=pairing, game=game, text=text
    )


def _on_second_seat(tournament: Tournament, pairing: Pairing) -> Registration:
    assert pairing.match is not None
    player = pairing.match.seats.get(position=2).player_id
    return tournament.registrations.select_related("player", "tournament").get(player=player)
