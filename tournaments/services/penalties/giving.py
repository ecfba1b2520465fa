"""A penalty given: what the guide says by the player's history, and its effect."""

from collections.abc import Sequence

from django.db import transaction

from rulings import services as ruling_services
from rulings.guide import Infraction, PenaltyKind
from rulings.models import JudgeNote, NoteKind, RulingVersion
from tournaments import history, permissions, queries
from tournaments.actors import Actor
from tournaments.models import (
    Pairing,
    Penalty,
    Registration,
    RegistrationState,
    Round,
    Tournament,
)
from tournaments.queries import penalties as asked
from tournaments.services.penalties import effects
from tournaments.services.penalties.refusals import (
    EffectChanged,
    GameMissing,
    NoPlaceHere,
    NotForThisJudge,
    ReasonMissing,
    UnknownInfraction,
    WrongTable,
)
from tournaments.sheets import penalties as sheets

GIVEN = "penalty given"


def expected(tournament: Tournament, place: Registration, infraction: str) -> PenaltyKind:
    """What the event's guide says it costs this player now. Raises UnknownInfraction."""
    found = _infraction(tournament, infraction)
    return found.penalty(asked.times_penalised(place, infraction))


def _infraction(tournament: Tournament, code: str) -> Infraction:
    found = asked.guide_of(tournament).infractions.get(code)
    if found is None:
        raise UnknownInfraction(
            f'The guide of this event has no infraction "{code}". Choose one of its list.'
        )
    return found


@transaction.atomic
def give(
    tournament: Tournament,
    place: Registration,
    actor: Actor,
    *,
    infraction: str,
    kind: PenaltyKind | None = None,
    pairing: Pairing | None = None,
    game: int | None = None,
    text: str = "",
    cited: Sequence[RulingVersion] = (),
    seen: str | None = None,
) -> Penalty:
    """Give the player a penalty; without `kind` what the guide says by the history here.

    It is about the table `pairing`, or the one the player has now. A lost game or match works on
    its result at once, also on one that comes later; without a table it waits for the next round.
    A lost game of several is named. Who is disqualified loses the match at the table that is not
    finished and is out of the event. `seen` is the mark of the `sheets.penalties.effect` that was
    looked at before.

    Raises UnknownInfraction, NotForThisJudge, NoPlaceHere, ReasonMissing, WrongTable, GameMissing,
    EffectChanged, CannotApply.
    """
    tournament = history.lock_unfinished(tournament)
    place.refresh_from_db(fields=["state"])
    found = _infraction(tournament, infraction)
    says = found.penalty(asked.times_penalised(place, infraction))
    kind = PenaltyKind(kind or says)
    _refuse(tournament, place, actor, kind)
    if kind is not says and not text.strip():
        raise ReasonMissing(f"The guide says {says.label.lower()}. Say why it is another penalty.")
    table = _table(tournament, place, kind, pairing)
    lost = _game(table, game) if kind is PenaltyKind.GAME_LOSS else None
    if seen is not None and sheets.effect(place, kind, table, lost).mark != seen:
        raise EffectChanged("Something has changed meanwhile. Look again, then give it.")
    penalty = Penalty.objects.create(
        tournament=tournament,
        registration=place,
        pairing=table,
        round_number=table.round.number if table else _round_number(tournament),
        infraction=found.code,
        infraction_name=found.name,
        kind=kind,
        expected=says,
        game=lost,
        note=_note(tournament, actor, text, cited),
    )
    work(tournament, penalty, actor, GIVEN)
    return penalty


def _note(
    tournament: Tournament, actor: Actor, text: str, cited: Sequence[RulingVersion]
) -> JudgeNote:
    practice = tournament.practice_of_id is not None
    return ruling_services.write_note(
        None, actor.user, text, cited, NoteKind.PENALTY, practice=practice
    )


def work(
    tournament: Tournament, penalty: Penalty, actor: Actor, action: str, reason: str = ""
) -> None:
    """Let a penalty that stands have its effect, and log it. Raises CannotApply."""
    kind, moved = PenaltyKind(penalty.kind), False
    if kind.costs_games and penalty.pairing is not None:
        moved = effects.put_on_result(tournament, penalty.pairing)
    effects.log(tournament, actor, action, penalty, moved=moved, reason=reason)
    if kind is PenaltyKind.DISQUALIFICATION:
        effects.drop(tournament, penalty, actor)


def refuse_unless_head(tournament: Tournament, actor: Actor, kind: PenaltyKind) -> None:
    """Raise NotForThisJudge where a disqualification is given or withdrawn by another judge."""
    if kind is PenaltyKind.DISQUALIFICATION and not permissions.can_head_judge(actor, tournament):
        raise NotForThisJudge("Only the head judge disqualifies. Ask them to decide this.")


def _refuse(tournament: Tournament, place: Registration, actor: Actor, kind: PenaltyKind) -> None:
    refuse_unless_head(tournament, actor, kind)
    if place.state == RegistrationState.WAITING:
        raise NoPlaceHere(f"{place.player} is on the waiting list and has no place here yet.")


def _table(
    tournament: Tournament, place: Registration, kind: PenaltyKind, wanted: Pairing | None
) -> Pairing | None:
    """The table it is about: the one that is named, or where the player sits now."""
    if wanted is not None:
        return _named_table(tournament, place, wanted)
    latest = queries.latest_round(tournament)
    if latest is None or not _is_played(latest):
        return None
    found = queries.pairing_of(latest, place.player)
    if found is None or found.match is None:
        return None
    # Who is out keeps what was played to its end before.
    if kind is PenaltyKind.DISQUALIFICATION and found.match.is_settled:
        return None
    found.round = latest
    return found


def _is_played(round_: Round) -> bool:
    return not round_.is_draft and not round_.is_closed


def _named_table(tournament: Tournament, place: Registration, wanted: Pairing) -> Pairing:
    rows = Pairing.objects.select_related("round__stage__tournament", "match")
    found = rows.filter(pk=wanted.pk, round__stage__tournament=tournament).first()
    if found is None or found.match is None or found.round.is_draft:
        raise WrongTable("This table was made anew meanwhile. Look who sits where, then try again.")
    if queries.seat_of(found.match, place.player) is None:
        raise WrongTable(f"{place.player} does not sit at {found} of {found.round}.")
    return found


def _game(table: Pairing | None, game: int | None) -> int | None:
    """The game that is lost. One that waits for a table takes the first game there."""
    if table is None or table.match is None:
        return None
    games = table.match.rule.games_per_match
    if games == 1 and game is None:
        return 1
    if game is None or not 1 <= game <= games:
        known = " or ".join(str(number) for number in range(1, games + 1))
        raise GameMissing(f"Say which game of the match is lost: {known}.")
    return game


def _round_number(tournament: Tournament) -> int | None:
    latest = queries.visible_rounds(tournament).last()
    return latest.number if latest else None
