"""Results by lot, for a sandbox only: open tables, or a round from its draft to its close."""

import random

from django.db import transaction

from core.errors import Refusal
from tournaments import elimination, history, queries, tasks
from tournaments.actors import Actor
from tournaments.models import Pairing, Round, RoundState, Tournament
from tournaments.services import cuts, results, rounds
from tournaments.simulation import play as played
from tournaments.simulation import strength

NOTE = "Played at random."


class NotAPractice(Refusal):
    """Chance plays no real event."""

    code = "not_a_practice"


class NothingToPlay(Refusal):
    """No round is under way."""

    code = "nothing_to_play"


def refuse_real(event: Tournament) -> None:
    """Raise NotAPractice for an event that is none."""
    if event.practice_of_id is None:
        raise NotAPractice("This is a real event. Only a practice event is played at random.")


@transaction.atomic
def play(event: Tournament, actor: Actor) -> int:
    """Give every open table of the round a result; answers how many. Raises NothingToPlay."""
    refuse_real(event)
    # Of two who press at once the second finds nothing left to play.
    event = history.lock(event)
    round_ = queries.latest_round(event)
    if round_ is None or round_.state not in (RoundState.PUBLISHED, RoundState.RUNNING):
        raise NothingToPlay("No round is under way. Pair one and publish it first.")
    chance = random.Random(f"{event.seed}:{round_.seed}")  # noqa: S311 - a lot of a rehearsal
    tables = list(queries.open_tables(round_))
    for pairing in tables:
        _play(event, pairing, actor, chance)
    _say_who_goes_on(event, round_, actor, chance)
    return len(tables)


def _play(event: Tournament, pairing: Pairing, actor: Actor, chance: random.Random) -> None:
    assert pairing.match is not None
    strengths = [_strength(event, seat.player_id) for seat in pairing.match.seats.all()]
    result = played(pairing.match.rule, strengths, chance)
    results.decide(pairing, result, actor, seen_version=pairing.match.version, note=NOTE)


def _strength(event: Tournament, player: int) -> int:
    """How strong the player is, the same in every round."""
    return strength(random.Random(f"{event.seed}:{player}"))  # noqa: S311 - a rehearsal


def _say_who_goes_on(event: Tournament, round_: Round, actor: Actor, chance: random.Random) -> None:
    """In a cut no match stays level."""
    for pairing in elimination.tables_without_a_word(round_):
        assert pairing.match is not None
        seat = chance.choice(list(pairing.match.seats.all()))
        cuts.say_who_goes_on(pairing, event.registrations.get(player=seat.player_id), actor)


def play_round(event: Tournament, actor: Actor) -> Round:
    """Pair and publish where that is next, play all tables and close the round.

    Not one transaction: the pairing is the work of a job. Raises NothingToPlay and what pairing,
    publishing and closing refuse.
    """
    refuse_real(event)
    round_ = queries.latest_round(event)
    if round_ is None or round_.is_closed:
        round_ = _drafted(event, actor)
    if round_.is_draft:
        rounds.publish(round_, actor, leave_out_latecomers=True)
    if queries.rounds(event).get(pk=round_.pk).state == RoundState.PUBLISHED:
        rounds.start(round_, actor)
    play(event, actor)
    rounds.close(round_, actor)
    return round_


def _drafted(event: Tournament, actor: Actor) -> Round:
    number = queries.next_round_number(event)
    job = rounds.request_pairing(event, number, actor)
    # Whoever has the job already does it; here it is done at once where nobody has.
    tasks.pair_round(job.pk)
    drafted = queries.rounds(event).select_related("stage__tournament").filter(number=number)
    round_ = drafted.first()
    if round_ is None:
        raise NothingToPlay(f"Round {number} is being paired. Press again in a moment.")
    return round_
