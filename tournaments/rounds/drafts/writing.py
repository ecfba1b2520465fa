"""From a drafted round to rows."""

from collections.abc import Iterable, Mapping
from typing import Any

from engine.pairing import PairedBye, Reason
from engine.standings import PlayerId
from matches import services as matches
from tournaments.models import Pairing, Registration, Round
from tournaments.rounds.drafts.records import Drafted, NewTable


def write_pairings(
    round_: Round, drafted: Drafted, registrations: Mapping[PlayerId, Registration]
) -> None:
    """Tables with their matches, then byes; what is locked is there already."""
    new_tables = [table for table in drafted.tables if not table.locked]
    made = matches.create_matches(
        [_new_match(round_, table, registrations) for table in new_tables]
    )
    tables = [
        Pairing(
            round=round_,
            table_number=table.number,
            match=match,
            bracket_game=table.bracket_game,
            **_account(table),
        )
        for table, match in zip(new_tables, made, strict=True)
    ]
    byes = [
        Pairing(
            round=round_,
            bye=registrations[bye.player],
            bye_points=round_.stage.tournament.bye_points,
            **_account(bye),
        )
        for bye in drafted.byes
        if not bye.locked
    ]
    Pairing.objects.bulk_create([*tables, *byes])


def clear_pairings(pairings: Iterable[Pairing]) -> None:
    """Take tables and byes off a round, with the matches nobody has told a result of."""
    used = {pairing.pk: pairing.match_id for pairing in pairings}
    Pairing.objects.filter(pk__in=used).delete()
    matches.delete_matches(match for match in used.values() if match is not None)


def _new_match(
    round_: Round, table: NewTable, registrations: Mapping[PlayerId, Registration]
) -> matches.NewMatch:
    return matches.NewMatch(
        players=tuple(registrations[player].player_id for player in table.players),
        scoring_rule=round_.stage.scoring_rule,
        game_system=round_.stage.tournament.game,
    )


def stored_reasons(reasons: Iterable[Reason]) -> list[dict[str, Any]]:
    """Reasons as they are kept on a row: {"kind", "players", "text"} each."""
    return [
        {"kind": reason.kind, "players": list(reason.players), "text": reason.text}
        for reason in reasons
    ]


def _account(entry: NewTable | PairedBye) -> dict[str, Any]:
    return {"cost": dict(entry.cost), "reasons": stored_reasons(entry.reasons)}
