"""The infraction guide: ladders, changes by an event, shipped guide, and page."""

import json

import pytest
from django.test import Client

from rulings.guide import (
    GUIDE_FILE,
    Guide,
    GuideChange,
    Infraction,
    PenaltyKind,
    is_code,
    ladder_errors,
    shipped_guide,
)

CAUTION, WARNING, GAME, MATCH, OUT = PenaltyKind
LATE = Infraction("late", "Late", "time", "Not there.", (WARNING, GAME))


def test_last_step_of_a_ladder_repeats():
    assert [LATE.penalty(earlier_offences) for earlier_offences in range(4)] == [
        WARNING,
        GAME,
        GAME,
        GAME,
    ]


@pytest.mark.parametrize(
    ("ladder", "errors"),
    [
        ((WARNING, WARNING, OUT), []),
        (("warning", "game_loss"), []),
        ((), ["the ladder has no step; say what it costs the first time."]),
        (None, ["the ladder has no step; say what it costs the first time."]),
        ((GAME, WARNING), ["the ladder goes down; a later step is never milder."]),
        (
            ["death"],
            [
                'there is no penalty "death"; known are caution, warning, game_loss, match_loss, '
                "disqualification."
            ],
        ),
    ],
)
def test_invalid_ladder_is_refused(ladder, errors: list[str]):
    assert list(ladder_errors(ladder)) == errors


@pytest.mark.parametrize(
    ("text", "expected"),
    [("slow-play-2", True), ("Slow", False), ("a b", False), ("", False), ("a" * 61, False)],
)
def test_codes_are_short_and_plain(text: str, expected: bool):
    assert is_code(text) is expected


def test_event_changes_removes_and_adds_infractions():
    guide = Guide({"late": LATE, "early": LATE}, {"time": "Time"})

    changed = guide.with_changes(
        [
            GuideChange("late", ladder=(GAME,)),
            GuideChange("early", is_off=True),
            GuideChange("shoes", name="No shoes", ladder=(CAUTION, OUT)),
            GuideChange("nameless", ladder=(CAUTION,)),
        ]
    )

    assert changed.infractions["late"] == Infraction("late", "Late", "time", "Not there.", (GAME,))
    assert [(name, [row.code for row in rows]) for name, rows in changed.by_category()] == [
        ("Time", ["late"]),
        ("At this event", ["shoes"]),
    ]
    assert guide.infractions["late"].ladder == (WARNING, GAME)
    assert guide.with_changes([]) == guide


def test_shipped_guide_is_complete_and_valid():
    guide, document = shipped_guide(), json.loads(GUIDE_FILE.read_text("utf-8"))
    infractions = guide.infractions.values()

    assert len(infractions) == len(document["infractions"]) >= 30
    assert list(guide.categories) == ["procedure", "table", "conduct"]
    assert {infraction.category for infraction in infractions} == set(guide.categories)
    assert len({infraction.name for infraction in infractions}) == len(infractions)
    for infraction in infractions:
        assert is_code(infraction.code)
        assert infraction.name.strip()
        assert len(infraction.name) <= 120
        assert infraction.description.endswith(".")
        assert len(infraction.description) <= 500
        assert not list(ladder_errors(infraction.ladder)), infraction.code
    assert {infraction.penalty(0) for infraction in infractions} == set(PenaltyKind)
    assert {
        *("Illegal deck", "Bribery", "Improperly determining a winner", "Leaving without dropping"),
        *("Missed mandatory ability", "Tardiness", "Slow play", "Outside assistance", "Cheating"),
    } <= {infraction.name for infraction in infractions}
    assert any(infraction.name.startswith("Unsporting conduct") for infraction in infractions)


@pytest.mark.django_db
def test_page_has_anchors_categories_and_ladders(client: Client, django_assert_num_queries):
    with django_assert_num_queries(0):
        page = client.get("/rulings/guide/").text

    guide = shipped_guide()
    assert guide.infractions
    for code in guide.infractions:
        assert page.count(f'id="{code}"') == 1
        assert f'href="#{code}"' in page
    for number, (name, infractions) in enumerate(guide.by_category(), start=1):
        link = f'href="#kind-{number}">{name} <span class="muted numeric">{len(infractions)}'
        assert link in page
        assert f'<h2 id="kind-{number}">{name}</h2>' in page
    slow_play = page.partition('id="slow-play"')[2].partition("</li>\n          <li")[0]
    steps = slow_play.split('class="ladder__when">')[1:4]
    assert [step.partition("</li>")[0] for step in steps] == [
        "1st time</span> Caution",
        "2nd time</span> Warning",
        "3rd and later</span> Game loss",
    ]
