import datetime

import pytest

from decks.legality import anr_formats
from decks.legality.records import FormatFacts, PoolFacts, RestrictionFacts, SnapshotFacts
from decks.legality.verdicts import LegalSpan
from tests.decks.legality.anr.listed import CORE_LEADER, CORE_RUNNER, day, deck_of, format_of
from tests.factories.decks import shipped_formats

STANDARD = format_of("standard")
CORE = deck_of(CORE_LEADER, CORE_RUNNER)
# Legal in Standard since the rotation of April 2025; Sting! is banned from October 2025 on.
ELEVATED = {"Hedge Fund": 3, "Sting!": 2}
RESTORING = deck_of("Jinteki: Restoring Humanity", ELEVATED)


def span_of(deck, format_, on_day):
    span = anr_formats.legal_span(deck, format_, day(on_day))
    return span and tuple(end and end.isoformat() for end in (span.first, span.last))


def test_span_without_an_end_states_that_none_is_known():
    text = str(LegalSpan(day("2025-08-01"), None).text)

    assert text == "Legal from 1 August 2025 on; no list to come is known that would change it."


TAO = "Tao Salonga: Telepresence Magician"
# Banned by the lists of April and August 2025 only.
CREATIVE = deck_of(TAO, {"Creative Commission": 3})


@pytest.mark.parametrize(
    ("deck", "date", "span"),
    [
        (RESTORING, "2025-09-17", ("2021-04-09", "2025-10-02")),
        (RESTORING, "2025-10-02", ("2021-04-09", "2025-10-02")),
        (RESTORING, "2025-10-03", None),
        (CREATIVE, "2021-04-09", ("2021-04-09", "2025-04-23")),
        (CREATIVE, "2025-09-17", None),
        (CREATIVE, "2025-10-03", ("2025-10-03", None)),
        (deck_of(TAO, {"Sure Gamble": 3}), "2026-11-21", ("2021-04-09", None)),
        # The influence of the old deck no longer suffices from February 2016 on.
        (CORE, "2012-09-05", None),
        (CORE, "2014-01-01", ("2012-09-06", "2016-01-31")),
        (CORE, "2016-02-01", None),
    ],
)
def test_span_of_legal_snapshots_around_a_day(deck, date, span):
    assert span_of(deck, STANDARD, date) == span


@pytest.mark.parametrize("format_", list(shipped_formats()), ids=lambda one: one.id)
@pytest.mark.parametrize("deck", [CORE, RESTORING], ids=["core", "restoring"])
def test_span_covers_exactly_its_days(format_, deck):
    days = [snapshot.effective_from for snapshot in format_.timeline]
    for day_ in days:
        span = anr_formats.legal_span(deck, format_, day_)
        legal = [start for start in days if anr_formats.is_deck_allowed(deck, format_.on(start))]
        assert (span is not None) == (day_ in legal)
        if span:
            last = span.last or datetime.date.max
            assert all(start in legal for start in days if span.first <= start <= last)
            assert (last + datetime.timedelta(1) not in legal) if span.last else True
            before = [start for start in days if start < span.first]
            assert not before or before[-1] not in legal


def test_later_listed_snapshot_of_the_same_day_applies():
    pool = PoolFacts("all", "All", frozenset({"core_set", "system_gateway"}))
    banning = RestrictionFacts("ban", "Ban", day("2020-01-01"), banned=frozenset({"sting"}))
    snapshots = (
        SnapshotFacts("one", day("2020-01-01"), pool, banning),
        SnapshotFacts("zero", day("2019-01-01"), pool, None),
        SnapshotFacts("two", day("2020-01-01"), pool, None),
    )
    format_ = FormatFacts("any", "Any", snapshots)

    assert [snapshot.id for snapshot in format_.timeline] == ["zero", "two"]
    assert format_.on(day("2020-01-01")).id == "two"
    assert format_.on(day("2018-12-31")) is None
    core = deck_of(CORE_LEADER, CORE_RUNNER)
    assert anr_formats.legal_span(core, format_, day("2021-01-01")) == LegalSpan(
        day("2019-01-01"), None
    )
