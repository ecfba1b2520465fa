"""Penalties given by the guide, and changes of the guide at an event."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.errors import ReasonMissing
from matches import records as matches_records
from matches.models import Match, MatchState
from matches.scoring.results import GameEnd
from rulings import services as rulings_services
from rulings.guide import PenaltyKind
from rulings.models import (
    JudgeNote,
    NoteCitation,
    RulingVersion,
)
from tests.factories.penalties import penalise, take_back
from tests.factories.tournaments import (
    add_staff,
    draft_round,
    enter_result,
    fresh,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    sweep,
    table,
    tables_of,
)
from tests.tournaments.judging.penalties.tables import points, position, table_with
from tournaments.event import history
from tournaments.event.permissions import Actor
from tournaments.judging import penalties
from tournaments.models import (
    Registration,
    RegistrationState,
    Round,
    StaffRole,
    Tournament,
)
from tournaments.models.penalties import InfractionCount
from tournaments.practice import services as practice_services
from tournaments.registration import roster_changes
from tournaments.registration import services as registration_services
from tournaments.settings import services as settings_services

CAUTION, WARNING, GAME_LOSS, MATCH_LOSS, DISQUALIFICATION = PenaltyKind


def judge_of(event: Tournament) -> Actor:
    return Actor(user=add_staff(event, StaffRole.JUDGE))


def test_ladder_counts_penalties_in_force_at_the_event(event: Tournament):
    ada, bo = player_number(event, 1), player_number(event, 2)

    first = penalise(ada)
    assert (first.kind, first.expected) == (WARNING, WARNING)
    assert penalties.expected_kind(event, ada, "late") is GAME_LOSS
    assert penalties.expected_kind(event, bo, "late") is WARNING
    assert penalties.expected_kind(event, ada, "slow-play") is CAUTION

    take_back(first)
    assert penalties.expected_kind(event, ada, "late") is WARNING


def test_penalty_keeps_the_text_of_the_guide_at_the_time(event: Tournament):
    penalty = penalise(player_number(event, 1), text="  Came at 10:20.  ")

    assert (penalty.infraction, penalty.infraction_name) == ("late", "Tardiness")
    assert (penalty.note.text, penalty.note.kind) == ("Came at 10:20.", "penalty")
    assert penalty.note.author == owner_of(event).user
    assert not penalty.is_waiting


def test_changed_effect_is_refused(event: Tournament, ada: Registration):
    seen = penalties.effect_of_penalty(ada, MATCH_LOSS, None, None).mark
    at_table = table_with(start_round(event), ada)

    with pytest.raises(penalties.EffectChanged):
        penalise(ada, MATCH_LOSS, seen=seen)
    assert not event.penalties.exists()

    assert penalise(
        ada, MATCH_LOSS, seen=penalties.effect_of_penalty(ada, MATCH_LOSS, at_table, None).mark
    ).pairing_id


def test_unusual_penalty_requires_a_text(event: Tournament):
    with pytest.raises(ReasonMissing, match="The guide says warning"):
        penalise(player_number(event, 1), CAUTION, text=" ")

    penalty = penalise(player_number(event, 1), CAUTION, text="The bus was late.")

    assert (penalty.kind, penalty.expected) == (CAUTION, WARNING)


def test_only_the_head_judge_disqualifies(event: Tournament):
    ada, judge = player_number(event, 1), judge_of(event)
    assert penalties.give(event, ada, judge, infraction="late").kind == WARNING
    with pytest.raises(penalties.NotForThisJudge):
        penalties.give(event, ada, judge, infraction="cheating")
    head = Actor(user=add_staff(event, StaffRole.HEAD_JUDGE))
    penalty = penalties.give(event, ada, head, infraction="cheating", text="Stacked the deck.")

    with pytest.raises(penalties.NotForThisJudge):
        penalties.withdraw(penalty, judge, "I know better.")
    penalties.withdraw(penalty, head, "It was somebody else.")


def test_unknown_infraction_is_refused(event: Tournament):
    owner = owner_of(event)
    penalties.change_infraction(event, owner, "late", is_off=True)

    for code in ("late", "no-such-thing"):
        with pytest.raises(penalties.UnknownInfraction):
            penalise(player_number(event, 1), infraction=code)


def test_penalty_applies_to_the_current_table(event: Tournament, round_: Round):
    pairing = table(round_, 1)
    place = event.registrations.get(player=pairing.match.seats.all()[0].player)

    penalty = penalise(place)

    assert (penalty.pairing, penalty.round_number) == (pairing, 1)
    match = pairing.match
    match.refresh_from_db()
    assert (match.state, match.losses) == (MatchState.OPEN, []), (
        "a warning must not change the result"
    )


def test_game_is_required_for_two_games(event: Tournament):
    start_round(event)
    ada = player_number(event, 1)

    for game in (None, 3, 0):
        with pytest.raises(penalties.GameMissing, match="1 or 2"):
            penalise(ada, GAME_LOSS, game=game)
    assert penalise(ada, GAME_LOSS, game=2).game == 2

    single = make_event(players=2, game="anr", scoring_rule="anr_single", system="single")
    start_round(single)
    assert penalise(player_number(single, 1), GAME_LOSS).game == 1


def test_tables_of_other_rounds_events_and_players_are_refused(event: Tournament):
    round_ = play_round(event)
    ada = player_number(event, 1)
    other_table_ = next(
        table
        for table in tables_of(round_)
        if ada.player not in [s.player for s in table.match.seats.all()]
    )
    with pytest.raises(penalties.WrongTable, match="does not sit at"):
        penalise(ada, pairing=other_table_)
    draft = draft_round(event)
    with pytest.raises(penalties.WrongTable, match="re-paired"):
        penalise(ada, pairing=tables_of(draft)[0])
    foreign_round = start_round(make_event(players=2, name="Elsewhere"))
    with pytest.raises(penalties.WrongTable):
        penalise(ada, pairing=tables_of(foreign_round)[0])


def test_penalty_at_a_finished_event_is_refused(event: Tournament):
    play_round(event)
    settings_services.finish_event(event, owner_of(event))

    with pytest.raises(history.EventIsFinished):
        penalise(player_number(event, 1))


def test_waiting_player_cannot_be_penalised():
    event = make_event(players=2, max_players=2, has_waiting_list=True)
    settings_services.set_registration(event, owner_of(event), is_open=True)
    waiting = registration_services.register_guest(event, "Zoe")
    assert waiting.state == RegistrationState.WAITING

    with pytest.raises(penalties.NoPlaceHere):
        penalise(waiting)


def test_penalised_player_cannot_be_removed(event: Tournament, ada: Registration):
    take_back(penalise(ada))

    with pytest.raises(registration_services.AlreadyPlayed, match="has had a penalty"):
        roster_changes.remove_player(ada, owner_of(event))


def test_changed_ladder_applies_only_to_its_event(event: Tournament):
    version = fresh(event).version
    penalties.change_infraction(event, owner_of(event), "late", ladder=[GAME_LOSS])

    assert penalties.expected_kind(event, player_number(event, 1), "late") is GAME_LOSS
    second_event = make_event(players=2, name="Elsewhere")
    assert penalties.expected_kind(second_event, player_number(second_event, 1), "late") is WARNING
    assert fresh(event).version > version


def test_own_infraction_is_added_and_the_guide_is_restored(event: Tournament):
    owner = owner_of(event)
    penalties.change_infraction(event, owner, "shoes", name="No shoes", ladder=["warning"])
    assert penalise(player_number(event, 1), infraction="shoes").infraction_name == "No shoes"

    penalties.reset_infraction(event, owner, "shoes")
    penalties.reset_infraction(event, owner, "shoes")

    assert "shoes" not in event.infraction_guide().infractions
    assert event.penalties.get().infraction_name == "No shoes"
    assert event.log.filter(action="infraction as in the guide").count() == 1


@pytest.mark.parametrize(
    ("code", "change", "message"),
    [
        ("shoes", {"ladder": ["warning"]}, "needs a name"),
        ("shoes", {"name": "No shoes"}, "The ladder has no step"),
        ("late", {"ladder": ["death"]}, 'There is no penalty "death"'),
        ("late", {"ladder": ["game_loss", "caution"]}, "The ladder goes down"),
        ("No Code!", {"name": "No shoes", "ladder": ["warning"]}, "is not an infraction code"),
    ],
)
def test_invalid_change_is_refused(event: Tournament, code: str, change, message: str):
    with pytest.raises(penalties.BadChange, match=message):
        penalties.change_infraction(event, owner_of(event), code, **change)

    assert not event.infraction_changes.exists()


@pytest.mark.parametrize("role", [StaffRole.JUDGE, StaffRole.SCOREKEEPER])
def test_only_the_head_judge_changes_the_guide(event: Tournament, role: str):
    actor = Actor(user=add_staff(event, role))

    with pytest.raises(penalties.NotForThisJudge):
        penalties.change_infraction(event, actor, "late", is_off=True)
    with pytest.raises(penalties.NotForThisJudge):
        penalties.reset_infraction(event, actor, "late")


def read_all(event: Tournament) -> list[str]:
    """Render everything that a page shows of each penalty."""
    return [
        f"{row} {row.registration.player} {row.note.text} {row.note.author} {row.pairing} "
        f"{list(map(read, row.note.citations.all()))}"
        for row in event.penalties.with_details()
    ]


def read(citation: NoteCitation) -> str:
    return f"{citation.version.ruling.short_code} {citation.version.ruling.document.title}"


def version() -> RulingVersion:
    house = rulings_services.get_local_document("onr")
    written = rulings_services.create_local_ruling(house, subject="Late", text="Be there.").current
    assert written is not None
    return written


def test_penalties_are_loaded_in_constant_queries(event: Tournament):
    start_round(event)
    cited = version()
    penalise(player_number(event, 1), cited=[cited])
    with CaptureQueriesContext(connection) as few:
        read_all(event)

    for number in (1, 2, 3, 4):
        penalise(player_number(event, number), PenaltyKind.WARNING, cited=[cited])
    with CaptureQueriesContext(connection) as many:
        shown = read_all(event)

    assert len(many) == len(few)
    assert len(shown) == 5
    assert cited.ruling.short_code in shown[0]


def test_penalties_of_a_player_and_counts_by_infraction(event: Tournament):
    ada, bo = player_number(event, 1), player_number(event, 2)
    penalties_of_ada = [penalise(ada), penalise(ada, infraction="slow-play")]
    take_back(penalise(bo, infraction="slow-play"))

    assert list(ada.penalties.with_details()) == penalties_of_ada
    assert event.penalties.counts_by_infraction() == [
        InfractionCount("slow-play", "Slow play", 2, 1),
        InfractionCount("late", "Tardiness", 1, 0),
    ]


def test_practice_copy_has_the_results_without_the_penalties(event: Tournament):
    round_, ada = start_round(event), player_number(event, 1)
    enter_result(table_with(round_, ada), sweep(position(round_, ada)))
    penalise(ada, PenaltyKind.GAME_LOSS, game=1)
    penalise(other_table(event, round_, ada), PenaltyKind.MATCH_LOSS)

    copy = practice_services.create_practice(event, owner_of(event), with_rounds=True)

    copied = copy.rounds.select_related("stage__tournament").get()
    assert not copy.penalties.exists()
    assert points(copied, player_number(copy, 1)) == (10, 10)
    made = Match.objects.filter(pk__in=[table.match_id for table in tables_of(copied)])
    assert all(match.losses == [] and match.is_settled for match in made)
    for match in made:
        assert matches_records.reported_result(match) == matches_records.settled_result(match)
        assert GameEnd.JUDGE in {game.end for game in matches_records.settled_result(match).games}
        report = matches_records.confirmed_report(match)
        assert matches_records.result_from_document(
            report.result
        ) == matches_records.settled_result(match)


def other_table(event: Tournament, round_, place):
    """Return a player of a different table."""
    (other,) = (table for table in tables_of(round_) if table != table_with(round_, place))
    return event.registrations.select_related("player", "tournament").get(
        player=other.match.seats.get(position=1).player_id
    )


def test_deleted_practice_event_deletes_its_notes(event: Tournament):
    copy = practice_services.create_practice(event, owner_of(event), with_rounds=True)
    penalise(player_number(event, 1), text="Kept.")
    penalty = penalise(player_number(copy, 1), text="Thrown away.", cited=[version()])
    assert penalty.note.is_practice

    practice_services.delete_practice(copy)

    assert [note.text for note in JudgeNote.objects.all()] == ["Kept."]
