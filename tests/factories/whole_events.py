"""Random whole events in our own document format: odd results, open tables, cuts."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from core.text import clean
from engine.bracket.games import GameWon, bracket_for, play_bracket
from engine.standings.tie_breakers import TIE_BREAKERS
from matches.scoring.results import GameEnd
from matches.scoring.rules import scoring_rule
from players import names
from tests.factories.private_parts import AT, moments, notes, private_parts, texts

Json = dict[str, Any]
RULES = {
    "onr_runner_only": ("onr", "double"),
    "anr_double": ("anr", "double"),
    "anr_single": ("anr", "single"),
    "free_radicals": ("free_radicals", "pods"),
}
ENDS = tuple(end.value for end in GameEnd)
MAX_PLAYERS, MAX_ROUNDS = 8, 3

typed_names = st.text(min_size=1, max_size=8).map(clean)
people = typed_names.filter(lambda name: not any(names.name_problems(name))) | st.sampled_from(
    ["Ada", "Łucja", "日本", "-1"]
)
whole_points = st.integers(-2, 20)


@st.composite
def documents(draw: st.DrawFn) -> Json:
    """An event with its private part; lists are in the order of writing."""
    rule = draw(st.sampled_from(sorted(RULES)))
    players = draw(st.integers(2, MAX_PLAYERS))
    rounds = [draw(_round(number, players, rule)) for number in range(1, draw(_few(MAX_ROUNDS)))]
    swiss = {"number": 1, "system": RULES[rule][1], "scoring_rule": rule, "rounds": rounds}
    has_cut = rule != "free_radicals" and draw(st.booleans())
    cuts = [draw(_cut(players, rule, len(rounds)))] if has_cut else []
    event = {
        "settings": draw(_settings(rule)),
        "seed": draw(st.integers(0, 2**63 - 1)),
        "players": [draw(_player(number)) for number in range(1, players + 1)],
        "stages": [swiss, *cuts],
        "private": draw(private_parts(players)),
    }
    return {"datafort": 1, "event": event}


def _few(maximum: int) -> st.SearchStrategy[int]:
    return st.integers(1, maximum + 1)


def _settings(rule: str) -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries(
        {
            "name": people,
            "game": st.just(RULES[rule][0]),
            "starts_on": st.sampled_from(["2026-05-02", "1996-04-26"]),
            "time_zone": st.sampled_from(["UTC", "Europe/Vienna"]),
            "location": texts,
            "description": texts,
            "visibility": st.sampled_from(["public", "unlisted", "private"]),
            "scoring_rule": st.just(rule),
            "tie_breakers": st.lists(st.sampled_from(sorted(TIE_BREAKERS)), unique=True),
            "bye_points": whole_points,
            "planned_rounds": st.none() | st.integers(1, 9),
            "drops_absent": st.booleans(),
            "rated": st.booleans(),
            "late_entry": st.sampled_from(["nobody", "losses", "half", "byes"]),
            "decks_revealed_at": moments,
            "finished_at": moments,
        }
    )


def _player(number: int) -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries(
        {
            "id": st.just(number),
            "name": people,
            "pronouns": st.sampled_from(["", "they/them"]),
            "state": st.sampled_from(["waiting", "registered", "checked_in", "dropped"]),
            "first_round_bye": st.booleans(),
            "seed": st.none() | st.integers(1, 9),
            "avoid_group": st.sampled_from(["", "north"]),
            "joined_in_round": st.integers(1, 3),
            "avoids_stream": st.booleans(),
            "checked_in_at": moments,
            "dropped_at": moments,
            "identities": st.sampled_from([[], [{"side": "corp", "title": "No “such” card"}]]),
        },
        # A document includes these keys only if they have content.
        optional={
            "paid_at": st.sampled_from(AT),
            "day_two_at": st.sampled_from(AT),
            "waiting_rank": st.integers(1, 9),
        },
    )


@st.composite
def _round(draw: st.DrawFn, number: int, players: int, rule: str) -> Json:
    """A round in which every player plays, sits out or is absent."""
    order = draw(st.permutations(range(1, players + 1)))
    seats = 3 if rule == "free_radicals" else 2
    tables = draw(st.integers(0, players // seats))
    groups = [order[index * seats : (index + 1) * seats] for index in range(tables)]
    remaining = order[tables * seats :]
    byes = sorted(remaining[: draw(st.integers(0, len(remaining)))])
    state = draw(st.sampled_from(["closed", "closed", "running", "published", "draft"]))
    return {
        "number": number,
        "state": state,
        "seed": draw(st.integers(0, 2**31)),
        "published_at": draw(moments),
        "extra_minutes": draw(st.integers(-5, 5)),
        "pairings": [
            *[draw(_table(index, group, rule)) for index, group in enumerate(groups, start=1)],
            *[{"bye": player, "points": draw(whole_points)} for player in byes],
        ],
    }


@st.composite
def _table(draw: st.DrawFn, /, number: int, players: Sequence[int], rule: str, **keys: Any) -> Json:
    settled = draw(st.sampled_from(["open", "confirmed", "decided"]))
    return {
        "table": number,
        "match": draw(_match(players, rule, settled)),
        "made_by_hand": draw(st.booleans()),
        "cost": draw(st.sampled_from([{}, {"point_gap": 4}])),
        "reasons": draw(st.sampled_from([[], [_because(players)]])),
        **keys,
    }


def _because(players: Sequence[int]) -> Json:
    return {"kind": "float", "players": [players[0]], "text": "{0} had nobody of their score."}


@st.composite
def _match(draw: st.DrawFn, players: Sequence[int], rule: str, state: str) -> Json:
    is_open = state == "open"
    points: st.SearchStrategy[Any] = st.none() if is_open else whole_points
    if rule == "free_radicals" and not is_open:
        points |= st.just("10/3")
    count = scoring_rule(rule).games_per_match
    return {
        "state": state,
        "seats": [
            {"id": player, "points": draw(points), "typed": draw(st.none() | whole_points)}
            for player in players
        ],
        "games": [draw(_game(number, players, rule)) for number in range(1, count + 1)],
        "notes": draw(st.lists(notes, max_size=1)),
        "calls": draw(st.lists(_call(players), max_size=2)),
        "absences": draw(st.lists(_absence(players), max_size=2, unique_by=_missing)),
    }


@st.composite
def _game(draw: st.DrawFn, number: int, players: Sequence[int], rule: str) -> Json:
    end = draw(st.sampled_from(["", *ENDS]))
    winner = draw(st.none() | st.sampled_from(players)) if end else None
    if rule == "free_radicals":
        seats: list[Json] = [
            {"id": player, "victory_points": draw(st.none() | st.integers(0, 40))}
            for player in players
        ]
    else:
        corp_first = players if draw(st.booleans()) else players[::-1]
        seats = [
            {"id": player, "role": role, "agenda_points": draw(st.none() | st.integers(0, 99))}
            for player, role in zip(corp_first, ("corp", "runner"), strict=True)
        ]
    return {"number": number, "end": end, "winner": winner, "seats": seats}


def _call(players: Sequence[int]) -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries(
        {
            "player": st.none() | st.sampled_from(players),
            "about": texts,
            "raised_at": st.sampled_from(AT),
            "answered_at": st.sampled_from(AT),
            "answer": st.none() | notes,
            "minutes": st.integers(0, 9),
        }
    )


def _absence(players: Sequence[int]) -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries(
        {
            "player": st.sampled_from(players),
            "by": st.none() | st.sampled_from(players),
            "told_at": st.sampled_from(AT),
            "applied_at": moments,
        }
    )


def _missing(absence: Json) -> int:
    return int(absence["player"])


@st.composite
def _cut(draw: st.DrawFn, players: int, rule: str, earlier_rounds: int) -> Json:
    """A cut as far as it was played; sometimes its last round is open."""
    rule = "anr_single" if rule.startswith("anr") else rule
    system = draw(st.sampled_from(["single_elimination", "double_elimination"]))
    seeds = draw(st.permutations(range(1, players + 1)))[: draw(st.integers(2, players))]
    bracket = bracket_for(system, len(seeds), fixed=False)
    games_won: list[GameWon] = []
    rounds: list[Json] = []
    last = earlier_rounds + draw(_few(3)) - 1
    for number in range(earlier_rounds + 1, last + 1):
        games = play_bracket(bracket, seeds, games_won, seed=0).games
        tables = [
            draw(_table(table_number, _sitting(game), rule, bracket_game=game.number))
            for table_number, game in enumerate(games, start=1)
        ]
        is_open = number == last and draw(st.booleans())
        for game, table in zip(games, tables, strict=True):
            winner = None if is_open else draw(st.sampled_from(_sitting(game)))
            games_won += [] if winner is None else [GameWon(game.number, winner)]
            _let_win(table["match"], winner)
        if tables:
            state = "running" if is_open else "closed"
            rounds.append({"number": number, "state": state, "pairings": tables})
    entries = [{"player": player, "seed": seed} for seed, player in enumerate(seeds, start=1)]
    return {
        "number": 2,
        "system": system,
        "scoring_rule": rule,
        "entries": entries,
        "rounds": rounds,
    }


def _sitting(game: Any) -> list[int]:
    return [seat.id for seat in game.seats]


def _let_win(match: Json, winner: int | None) -> None:
    """Give the winner 3 points; without a winner the match is open."""
    match["state"] = "open" if winner is None else "decided"
    for seat in match["seats"]:
        seat["points"] = None if winner is None else 3 * (seat["id"] == winner)
