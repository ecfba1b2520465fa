import pytest

from decks.legality import anr_formats
from decks.legality.anr_construction import AnrDeck
from decks.legality.records import CardFacts, CardSlot, PrintingFacts, RestrictionFacts
from tests.decks.legality.anr.listed import day, deck_of, list_on, snapshot_on, with_list


def ban_breaches(deck, restriction):
    return [
        (breach.code, breach.card) for breach in anr_formats.ban_list_breaches(deck, restriction)
    ]


def test_without_a_list_nothing_is_banned():
    assert ban_breaches(deck_of("NBN: Reality Plus", {"Sting!": 3}), None) == []


def test_banned_card_is_reported_with_line_list_and_date():
    october = list_on("standard", "2025-10-03")
    deck = deck_of("Jinteki: Restoring Humanity", {"Hedge Fund": 3, "Sting!": 2})
    (breach,) = anr_formats.ban_list_breaches(deck, october)

    assert (breach.code, breach.card, breach.line) == ("banned_card", "Sting!", 3)
    assert breach.message == "Sting! is banned by Standard Ban List 25.10."
    assert breach.remedy == "Take out both copies."
    assert breach.rule == "Standard Ban List 25.10, in force from 3 October 2025"


def test_banned_identity_is_reported_with_the_line_of_the_identity():
    deck = deck_of("NBN: Reality Plus", {"Hedge Fund": 3})
    (breach,) = anr_formats.ban_list_breaches(deck, list_on("standard", "2025-09-17"))

    assert (breach.code, breach.card, breach.line) == ("banned_card", "NBN: Reality Plus", 1)
    assert breach.remedy == "Choose another identity."


def test_every_card_of_a_banned_subtype_is_banned():
    deck = deck_of("NBN: Making News", {"Targeted Marketing": 3, "Paywall Implementation": 1})
    before = list_on("standard", "2020-06-25")
    current_list = list_on("standard", "2022-08-05")

    assert ban_breaches(deck, before) == []
    assert ban_breaches(deck, current_list) == [
        ("banned_subtype", "Targeted Marketing"),
        ("banned_subtype", "Paywall Implementation"),
    ]


def test_card_banned_by_title_and_by_subtype_is_reported_once():
    deck = deck_of("NBN: Making News", {"Targeted Marketing": 3})
    list_ = RestrictionFacts(
        *("new_list", "New List", day("2025-10-03")),
        banned=frozenset({"targeted_marketing"}),
        banned_subtypes=frozenset({"current"}),
    )

    assert ban_breaches(deck, list_) == [("banned_card", "Targeted Marketing")]


MOST_WANTED = list_on("standard", "2018-12-21")


def test_single_restricted_title_is_legal_in_any_number_of_copies():
    legal_deck = deck_of("Chaos Theory: Wünderkind", {"Levy AR Lab Access": 3, "Sure Gamble": 3})
    illegal_deck = deck_of(
        "Chaos Theory: Wünderkind", {"Levy AR Lab Access": 1, "Aesop's Pawnshop": 1}
    )

    assert ban_breaches(legal_deck, MOST_WANTED) == []
    (breach,) = anr_formats.ban_list_breaches(illegal_deck, MOST_WANTED)
    assert (breach.code, breach.concerns) == (
        "restricted",
        ("Aesop’s Pawnshop", "Levy AR Lab Access"),
    )
    assert breach.message == (
        "2 restricted titles: Aesop’s Pawnshop (line 3) and Levy AR Lab Access (line 2);"
        " a deck may hold cards of 1."
    )
    assert breach.rule == "Standard MWL 3.0, in force from 21 December 2018"


def test_two_printings_of_a_restricted_title_count_once():
    (slot,) = deck_of("Chaos Theory: Wünderkind", {"Magnum Opus": 1}).slots
    other_printing = CardSlot(slot.card, 2, 3, printing="20043")
    deck = AnrDeck("runner", None, (slot, other_printing))

    assert ban_breaches(deck, list_on("standard", "2017-10-01")) == []


ETERNAL = list_on("eternal", "2025-07-31")


def test_points_are_counted_once_a_title_whatever_the_number_of_copies():
    titles = {"Account Siphon": 3, "False Echo": 3, "Data Leak Reversal": 3}
    just_enough = deck_of("Noise: Hacker Extraordinaire", titles)
    one_more = deck_of("Noise: Hacker Extraordinaire", {**titles, "Déjà Vu": 1})

    assert sum(anr_formats.points_by_title(just_enough, ETERNAL).values()) == 7
    assert ban_breaches(just_enough, ETERNAL) == []
    (breach,) = anr_formats.ban_list_breaches(one_more, ETERNAL)
    assert breach.message == (
        "8 points: Account Siphon (3), Data Leak Reversal (2), False Echo (2) and Déjà Vu (1);"
        " at most 7 are allowed."
    )
    assert breach.remedy == "Take out whole titles worth 1 or more of these points."
    assert breach.concerns == (*("Account Siphon", "Data Leak Reversal", "False Echo", "Déjà Vu"),)


def test_identity_costs_its_points_too():
    cards = {"Power Shutdown": 3, "Shock!": 1, "Jackson Howard": 3, "Caprice Nisei": 2}
    without = deck_of("Haas-Bioroid: Stronger Together", cards)
    pointed = deck_of("Cerebral Imaging: Infinite Frontiers", cards)

    assert sum(anr_formats.points_by_title(without, ETERNAL).values()) == 5
    assert ban_breaches(without, ETERNAL) == []
    (breach,) = anr_formats.ban_list_breaches(pointed, ETERNAL)
    assert breach.message.startswith("8 points: Cerebral Imaging: Infinite Frontiers (3), ")


def agenda(points, number):
    title = f"Agenda {number} of {points}"
    printing = PrintingFacts(f"99{number:03}", "system_gateway", 3)
    return CardFacts(-number, title, title.lower(), "corp", "agenda", points, printings=(printing,))


def startup_deck(*copies_of_points):
    slots = tuple(
        CardSlot(agenda(points, number), copies, number)
        for number, (copies, points) in enumerate(copies_of_points, start=2)
    )
    return AnrDeck("corp", None, slots)


STARTUP_25 = snapshot_on("startup", "2025-09-17")
STARTUP_26_05 = with_list(
    STARTUP_25, name="Startup Ban List 26.05", effective_from=day("2026-05-01")
)


@pytest.mark.parametrize(
    ("agendas", "codes"),
    [
        ([(3, 3), (1, 4), (3, 2)], []),
        ([(3, 3), (2, 3)], ["big_agendas"]),
        ([(3, 3), (1, 3), (1, 5)], ["big_agendas"]),
        ([(3, 2), (3, 2), (3, 1)], []),
    ],
)
def test_startup_allows_four_big_agendas_since_may_2026(agendas, codes):
    deck = startup_deck(*agendas)

    assert [breach.code for breach in anr_formats.big_agenda_breaches(deck, STARTUP_26_05)] == codes
    standard = with_list(snapshot_on("standard", "2025-10-03"), effective_from=day("2026-05-01"))
    for snapshot in (STARTUP_25, standard):
        assert list(anr_formats.big_agenda_breaches(deck, snapshot)) == []


def test_too_many_big_agendas_are_named_with_their_copies():
    (breach,) = anr_formats.big_agenda_breaches(startup_deck((3, 3), (2, 4)), STARTUP_26_05)

    assert breach.message == (
        "5 agendas worth 3 or more points: 3 Agenda 2 of 3 and 2 Agenda 3 of 4;"
        " at most 4 are allowed."
    )
    assert breach.remedy.startswith("Take out 1 of them")
    assert "Startup Ban List 26.05, in force from 1 May 2026" in breach.rule
