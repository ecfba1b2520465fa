"""The work of the job "pair the round": from the closed rounds to a draft."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from core.errors import Refusal
from matches import services as matches
from tournaments import field, history, queries
from tournaments.actors import NOBODY
from tournaments.models import Job, Pairing, Registration, Round, RoundState, Tournament
from tournaments.pairing import PairedBye, PairedRound, PairedTable, Reason, pair_round
from tournaments.standings import PlayerId


class RoundStillOpen(Refusal):
    """The round before must be closed first: its results decide who meets."""

    code = "round_still_open"


def draft_round(job: Job) -> None:
    """Make the draft the job asks for; does nothing when the round is there already.

    payload: {"number": the round, "attempt": how often it was drafted before}.
    """
    tournament = history.lock_unfinished(job.tournament)
    number = job.payload["number"]
    if queries.rounds(tournament).filter(number=number).exists():
        return
    refuse_open_round(tournament, number)
    seed = round_seed(tournament.seed, number, job.payload.get("attempt", 0))
    registrations: dict[PlayerId, Registration] = {
        entry.number: entry for entry in queries.active_registrations(tournament)
    }
    paired = pair_round(
        field.entrants(tournament, registrations.values()), round_number=number, seed=seed
    )
    round_ = _write_round(tournament, number, seed, paired)
    write_pairings(round_, paired, registrations)
    history.record(tournament, NOBODY, "round drafted", round_, public=False)


def refuse_open_round(tournament: Tournament, number: int) -> None:
    """Raise RoundStillOpen unless `number` follows the last closed round."""
    latest = queries.latest_round(tournament)
    if latest is not None and not latest.is_closed:
        raise RoundStillOpen(f"Close round {latest.number} before you pair round {number}.")
    if number != queries.next_round_number(tournament):
        raise RoundStillOpen(
            f"Round {queries.next_round_number(tournament)} is next, not round {number}. "
            "Load the page again."
        )


def round_seed(event_seed: int, number: int, attempt: int) -> int:
    """The seed of one draft, 0 <= seed < 2**31: of the event, the round and the try."""
    digest = sha256(f"{event_seed}:{number}:{attempt}".encode()).digest()
    return int.from_bytes(digest[:4]) >> 1


def _write_round(tournament: Tournament, number: int, seed: int, paired: PairedRound) -> Round:
    return Round.objects.create(
        stage=queries.current_stage(tournament),
        number=number,
        state=RoundState.DRAFT,
        seed=seed,
        certificate=asdict(paired.certificate),
        relaxations=_reasons(paired.relaxations),
    )


def write_pairings(
    round_: Round, paired: PairedRound, registrations: Mapping[PlayerId, Registration]
) -> None:
    """Tables with their matches, then byes."""
    stage = round_.stage
    wanted = [
        matches.NewMatch(
            players=(registrations[table.corp].player_id, registrations[table.runner].player_id),
            scoring_rule=stage.scoring_rule,
            game_system=stage.tournament.game,
        )
        for table in paired.pairings
    ]
    made = matches.create_matches(wanted)
    tables = [
        Pairing(round=round_, table_number=table.number, match=match, **_account(table))
        for table, match in zip(paired.pairings, made, strict=True)
    ]
    byes = [
        Pairing(
            round=round_,
            bye=registrations[bye.player],
            bye_points=stage.tournament.bye_points,
            **_account(bye),
        )
        for bye in paired.byes
    ]
    Pairing.objects.bulk_create([*tables, *byes])


def _account(entry: PairedTable | PairedBye) -> dict[str, Any]:
    return {"cost": dict(entry.cost), "reasons": _reasons(entry.reasons)}


def _reasons(reasons: Iterable[Reason]) -> list[dict[str, Any]]:
    return [
        {"kind": reason.kind, "players": list(reason.players), "text": reason.text}
        for reason in reasons
    ]
