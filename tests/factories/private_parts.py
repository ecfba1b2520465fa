"""The private part of a random event: penalties, the guide, decks and deck checks."""

from typing import Any

from hypothesis import strategies as st

Json = dict[str, Any]
AT = ("2026-05-02T09:00:00+00:00", "2026-05-02T11:30:15.250000+00:00")

moments = st.none() | st.sampled_from(AT)
texts = st.sampled_from(["", "a", "=1+1", "Zoë\nwaits", "‮odd", "🂡 x"])
notes = st.fixed_dictionaries({"text": texts, "at": st.sampled_from(AT)})


@st.composite
def private_parts(draw: st.DrawFn, players: int) -> Json:
    """Data for the staff only; lists are in the order of writing."""
    decks = sorted(draw(st.lists(_deck(players), max_size=2, unique_by=_whose)), key=_whose)
    changes = draw(st.lists(_change(), max_size=2, unique_by=_code))
    return {
        "staff_need_second_factor": draw(st.booleans()),
        "penalties": draw(st.lists(_penalty(players), max_size=2)),
        "guide": sorted(changes, key=_code),
        "decks": decks,
        "deck_checks": [
            draw(_draw_of(decks, number)) for number in range(1, draw(st.integers(1, 3)))
        ],
    }


def _penalty(players: int) -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries(
        {
            "player": st.integers(1, players),
            "round": st.none() | st.integers(1, 3),
            "infraction": st.just("slow-play"),
            "infraction_name": st.just("Slow play"),
            "kind": st.sampled_from(["warning", "caution"]),
            "expected": st.just("warning"),
            "note": notes,
            "given_at": st.sampled_from(AT),
            "withdrawn_reason": texts,
        }
    )


def _change() -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries(
        {
            "code": st.sampled_from(["slow-play", "tardiness", "house-rule"]),
            "name": texts,
            "description": texts,
            "ladder": st.just([]),
            "is_off": st.booleans(),
        }
    )


def _deck(players: int) -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries(
        {
            "player": st.integers(1, players),
            "side": st.sampled_from(["corp", "runner"]),
            "title": st.sampled_from(["", "Rush"]),
            "text": texts,
            "size": st.integers(0, 60),
            "received_at": st.sampled_from(AT),
        }
    )


def _whose(deck: Json) -> tuple[int, str]:
    return deck["player"], deck["side"]


def _code(change: Json) -> str:
    return str(change["code"])


@st.composite
def _draw_of(draw: st.DrawFn, decks: list[Json], number: int) -> Json:
    """A draw that selected all decks, each at its own table."""
    return {
        "number": number,
        "round": draw(st.integers(1, 3)),
        "seed": draw(st.none() | st.integers(0, 2**63 - 1)),
        "drawn_at": draw(st.sampled_from(AT)),
        "checks": [draw(_check(table, deck)) for table, deck in enumerate(decks, start=1)],
    }


@st.composite
def _check(draw: st.DrawFn, table: int, deck: Json) -> Json:
    outcome = draw(st.sampled_from(["", "fine", "mended", "wrong", "illegal"]))
    return {
        "table": table,
        "player": deck["player"],
        "side": deck["side"],
        "earlier_list": draw(st.none() | st.fixed_dictionaries({"text": texts})),
        "outcome": outcome,
        "note": draw(texts),
        "checked_at": draw(st.sampled_from(AT)) if outcome else None,
    }
