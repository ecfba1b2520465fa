"""Properties of the verdict on any list."""

import datetime

from hypothesis import given
from hypothesis import strategies as st

from decks import services
from decks.catalogue import shipped_tables
from tests.factories.decks import shipped_formats

IDENTITIES = [
    *("Noise: Hacker Extraordinaire", "The Professor: Keeper of Knowledge", "NBN: Making News"),
    *("Ampère: Cybernetics For Anyone", "The Catalyst: Convention Breaker", "Fringe Applications"),
    *("Cerebral Imaging: Infinite Frontiers", "NBN: Reality Plus", "", "Nobody At All"),
]
# Cards that rules and lists of many years speak of, of both sides.
TITLES = [
    *("Account Siphon", "False Echo", "Déjà Vu", "Blackmail", "Scrubbed", "Magnum Opus"),
    *("Clone Chip", "Parasite", "Yog.0", "Spy Camera", "Rebirth", "Sure Gamble", "Sting!"),
    *("AstroScript Pilot Program", "Breaking News", "NAPD Contract", "Mumba Temple", "Hedge Fund"),
    *("Jackson Howard", "Product Recall", "Global Food Initiative", "Government Takeover"),
    *("Enigma", "Ice Wall", "No Such Card", "Astroscript Pilot Programm"),
]
lists = st.lists(st.tuples(st.integers(-1, 12), st.sampled_from(TITLES)), min_size=1, max_size=14)
formats = st.sampled_from(["", *(format_.id for format_ in shipped_formats())])
days = st.dates(datetime.date(2011, 1, 1), datetime.date(2027, 1, 1))


def check_list(lines, identity, format_id, day):
    text = "\n".join([identity, *lines])
    rules = services.requested_rules("anr", {"format": format_id})
    tables = shipped_tables("anr")
    return services.check_deck(text, game="anr", side="corp", rules=rules, date=day, tables=tables)


def without_lines(verdict):
    """The verdict without lines and line numbers."""
    document = verdict.as_document()
    for key in ("breaches", "lines", "notices"):
        document.pop(key)
    return document, {(breach.code, breach.card, breach.rule) for breach in verdict.breaches}


@given(st.sampled_from(IDENTITIES), lists, formats, days, st.randoms())
def test_order_and_duplicates_never_change_the_verdict(identity, slots, format_id, day, rng):
    lines = [f"{number} {title}" for number, title in slots]
    split = [
        line
        for number, title in slots
        for line in ([f"1 {title}"] * number if number > 0 else [f"{number} {title}"])
    ]
    rng.shuffle(split)

    assert without_lines(check_list(split, identity, format_id, day)) == without_lines(
        check_list(lines, identity, format_id, day)
    )


@given(st.sampled_from(IDENTITIES), lists, formats, days)
def test_every_breach_is_reported_once_and_in_order(identity, slots, format_id, day):
    verdict = check_list([f"{number} {title}" for number, title in slots], identity, format_id, day)
    breaches = verdict.breaches
    line_numbers = [breach.line or 10_000 for breach in breaches]

    assert len(set(breaches)) == len(breaches)
    assert line_numbers == sorted(line_numbers)
    assert verdict.legal == (not breaches)
    for breach in breaches:
        assert breach.message.endswith((".", '"'))
        assert breach.remedy.endswith(".")
        assert breach.rule


@given(st.sampled_from(IDENTITIES), lists, formats, days)
def test_span_is_shown_for_legal_lists_of_a_format_only(identity, slots, format_id, day):
    verdict = check_list([f"{number} {title}" for number, title in slots], identity, format_id, day)

    assert (verdict.span is not None) == (verdict.legal and bool(format_id))
    if verdict.span:
        assert verdict.span.first <= day <= (verdict.span.last or day)
