"""The infraction guide: parser, changes by an event, shipped guide, and page."""

from collections.abc import Collection

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from rulings.guide import (
    OWN_CATEGORY,
    GuideChange,
    Infraction,
    PenaltyKind,
    UnreadableGuide,
    read_guide,
    shipped_guide,
)

CAUTION, WARNING, GAME, MATCH, OUT = PenaltyKind
LATE = {
    "code": "late",
    "name": "Late",
    "category": "time",
    "description": "Not there.",
    "ladder": ["warning", "game_loss"],
}
SMALL = {"categories": [{"code": "time", "name": "Time"}], "infractions": [LATE]}


def test_last_step_of_a_ladder_repeats():
    late = read_guide(SMALL).infractions["late"]

    assert [late.penalty(earlier) for earlier in range(4)] == [WARNING, GAME, GAME, GAME]


def test_all_faults_of_a_guide_are_reported_with_their_place():
    broken = {
        "categories": [{"code": "time", "name": "Time"}],
        "infractions": [
            LATE,
            {**LATE, "name": "  "},
            {**LATE, "code": "Not A Code", "category": "space", "ladder": ["death"]},
            {**LATE, "code": "down", "ladder": ["game_loss", "warning"]},
            {**LATE, "code": "nothing", "ladder": []},
        ],
    }

    with pytest.raises(UnreadableGuide) as refusal:
        read_guide(broken)

    assert refusal.value.errors == (
        'infractions: the code "late" is there more than once.',
        "infractions, row 2: name is missing.",
        'infractions, row 3: "Not A Code" is not a code; use at most 60 of a-z, 0-9 and "-".',
        'infractions, row 3: there is no category "space".',
        'infractions, row 3: there is no penalty "death"; known are caution, warning, game_loss, '
        "match_loss, disqualification.",
        "infractions, row 4: the ladder goes down; a later step is never milder.",
        "infractions, row 5: the ladder has no step; say what it costs the first time.",
    )


@pytest.mark.parametrize("document", [None, [], {}, {"categories": 1, "infractions": ["x"]}])
def test_other_json_is_refused(document):
    with pytest.raises(UnreadableGuide):
        read_guide(document)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["categories", "infractions", "code", "name", "ladder"]), inner
        )
    ),
    max_leaves=12,
)


@given(json_values)
def test_any_document_is_read_or_refused_with_reasons(document):
    try:
        found: Collection[object] = read_guide(document).infractions
    except UnreadableGuide as refusal:
        found = refusal.errors

    assert found


def test_event_changes_removes_and_adds_infractions():
    guide = read_guide({**SMALL, "infractions": [LATE, {**LATE, "code": "early"}]})

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


def test_shipped_guide_is_complete():
    guide = shipped_guide()

    assert len(guide.infractions) >= 30
    assert list(guide.categories) == ["procedure", "table", "conduct"]
    assert OWN_CATEGORY not in guide.categories
    assert sum(len(found) for _, found in guide.by_category()) == len(guide.infractions)
    infractions = guide.infractions.values()
    assert len({infraction.name for infraction in infractions}) == len(infractions)
    assert all(infraction.description.endswith(".") for infraction in infractions)
    assert all(len(infraction.description) <= 500 for infraction in infractions)
    assert {infraction.penalty(0) for infraction in infractions} == set(PenaltyKind)


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


def test_infractions_have_the_usual_names():
    names = {infraction.name for infraction in shipped_guide().infractions.values()}

    assert {
        *("Illegal deck", "Bribery", "Improperly determining a winner", "Leaving without dropping"),
        *("Missed mandatory ability", "Tardiness", "Slow play", "Outside assistance", "Cheating"),
    } <= names
    assert any(name.startswith("Unsporting conduct") for name in names)
