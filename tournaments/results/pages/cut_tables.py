"""What a table of a cut still needs to be told: who begins as Corp, who goes on."""

from dataclasses import dataclass

from tournaments.event import queries
from tournaments.models import Pairing, Registration, Round
from tournaments.rounds import elimination


@dataclass(frozen=True)
class CutTable:
    """One table of a cut; the seats in order, the Corp of game 1 first.

    `chooser` may say who begins as Corp; the choice can be changed until a result is told, by
    somebody who has `seen` it.
    """

    pairing: Pairing
    seats: tuple[Registration, ...]
    chooser: Registration | None
    is_chosen: bool
    can_choose: bool
    ended_level: bool
    goes_on: Registration | None
    seen: str = ""

    @property
    def needs_a_word(self) -> bool:
        return self.ended_level and self.goes_on is None


def cut_table_of(round_: Round, registration: Registration) -> CutTable | None:
    """The table of this player in a round of a cut, if there is one."""
    if not round_.stage.way.is_elimination:
        return None
    pairing = queries.pairing_of(round_, registration.player)
    return cut_table(pairing) if pairing is not None else None


def cut_table(pairing: Pairing) -> CutTable | None:
    """What there is to tell; None for a table that is not of a cut."""
    match = pairing.match
    if pairing.bracket_game is None or match is None:
        return None
    players = pairing.players
    entries = pairing.round.stage.tournament.registrations.filter(player__in=players)
    by_player = {entry.player_id: entry for entry in entries.select_related("player")}
    number = elimination.chooser_of(pairing)
    return CutTable(
        pairing=pairing,
        seats=tuple(by_player[player] for player in players),
        chooser=next((entry for entry in by_player.values() if entry.number == number), None),
        is_chosen=not elimination.has_open_choice(pairing),
        can_choose=number is not None and match.state == "open",
        ended_level=elimination.ended_level(pairing),
        goes_on=pairing.advances,
        seen=elimination.chosen_corp(pairing),
    )
