"""Statistics of judge calls."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tournaments.judging.pages import CallRecord, WaitingTimes, call_figures

NOON = datetime(2026, 5, 2, 12, tzinfo=UTC)


def minutes(count: int) -> timedelta:
    return timedelta(minutes=count)


def call(
    taken: int | None = None,
    answered: int | None = None,
    *,
    round_number: int = 1,
    table: int = 1,
    **more,
) -> CallRecord:
    """Return a call at noon, taken and answered after these minutes."""
    return CallRecord(
        round_number,
        table,
        NOON,
        None if taken is None else NOON + minutes(taken),
        None if answered is None else NOON + minutes(answered),
        **more,
    )


def test_event_without_calls_has_no_figures():
    figures = call_figures([])

    assert (figures.calls, figures.open, figures.minutes) == (0, 0, 0)
    assert (figures.by_round, figures.judges, figures.tables, figures.cited) == ([], [], [], [])
    assert figures.until_taken is None
    assert figures.until_answered is None
    assert figures.appeals.raised == 0


def test_waiting_times_of_a_judge_have_a_median_and_a_maximum():
    calls = [call(1, 4, judge="Mia"), call(2, 5, judge="Mia"), call(9, 30, judge="Mia")]

    (mia,) = call_figures(calls).judges

    assert (mia.judge, mia.answered) == ("Mia", 3)
    assert mia.until_taken == WaitingTimes(minutes(2), minutes(9))
    assert mia.until_answered == WaitingTimes(minutes(5), minutes(30))


def test_median_of_two_is_their_mean():
    figures = call_figures([call(1, 2), call(2, 5)])

    assert figures.until_taken == WaitingTimes(timedelta(seconds=90), minutes(2))
    assert figures.until_taken.in_words == ("1:30", "2:00")


def test_judges_are_ordered_by_answers_and_name():
    calls = [call(answered=3, judge=name) for name in ("Zoe", "bo", "Ada", "Zoe")]

    assert [figures.judge for figures in call_figures(calls).judges] == ["Zoe", "Ada", "bo"]


def test_call_answered_without_being_taken_has_no_time_until_taken():
    (judge,) = call_figures([call(None, 4, judge="Mia")]).judges

    assert judge.until_taken is None
    assert judge.until_answered == WaitingTimes(minutes(4), minutes(4))


def test_open_and_answered_calls_are_counted_by_round():
    calls = [call(round_number=2), call(1, 2), call(is_withdrawn=True), call(1)]
    figures = call_figures(calls)

    assert figures.by_round == [(1, 3), (2, 1)]
    assert (figures.calls, figures.answered, figures.withdrawn, figures.open) == (4, 1, 1, 2)


def test_appeals_are_upheld_overturned_or_waiting():
    overturned = [True, False, False, None]
    calls = [call(answered=9, is_appeal=True, overturned=outcome) for outcome in overturned]
    appeals = call_figures([*calls, call(answered=1)]).appeals

    assert (appeals.raised, appeals.overturned, appeals.upheld, appeals.waiting) == (4, 1, 2, 1)


def test_tables_that_called_more_than_once_are_listed():
    calls = [call(table=5), call(table=5), call(table=7), call(table=5, round_number=2)]

    assert call_figures(calls).tables == [(1, 5, 2)]


def test_most_cited_rulings_come_first():
    ambush, bits = ("R-0001", "Ambush"), ("R-0002", "Bits")
    calls = [call(answered=1, cited=(bits,)), call(answered=1, cited=(ambush, bits))]

    assert call_figures(calls).cited == [("R-0002", "Bits", 2), ("R-0001", "Ambush", 1)]


def test_minutes_of_answers_are_added_up():
    assert call_figures([call(1, 2, minutes=3), call(1, 2, minutes=5)]).minutes == 8


RECORDS = st.builds(
    call,
    st.none() | st.integers(0, 60),
    st.none() | st.integers(60, 120),
    round_number=st.integers(1, 4),
    table=st.integers(1, 3),
    judge=st.sampled_from(["", "Ada", "Bo"]),
    is_appeal=st.booleans(),
    minutes=st.integers(0, 60),
)


@given(st.lists(RECORDS, max_size=30))
def test_parts_add_up_to_the_total(calls: list[CallRecord]):
    figures = call_figures(calls)

    assert sum(count for _, count in figures.by_round) == figures.calls == len(calls)
    assert figures.open + figures.answered + figures.withdrawn == figures.calls
    assert sum(judge.answered for judge in figures.judges) <= figures.answered
    if figures.until_answered is not None:
        assert figures.until_answered.median <= figures.until_answered.longest
