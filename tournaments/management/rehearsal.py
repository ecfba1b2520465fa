"""Play an event with the site's services and made-up players."""

# Jobs run inline, one after the other, so a rehearsal in a rolled-back transaction leaves nothing.

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.core.management.base import CommandError

from core import jobs
from core.jobs import JobState
from decks.catalogue import card_table, format_table
from decks.legality.records import AnrRules, SnapshotFacts
from decks.models import Side
from decks.sample_decks import sample_deck
from engine.simulation.tables import ReportingStyle, draw_reporting, draw_strength, play_table
from matches.scoring.results import MatchResult
from tournaments.decklists import services as decklists_services
from tournaments.event.permissions import Actor
from tournaments.models import (
    DeckSubmission,
    JobKind,
    Pairing,
    Registration,
    Round,
    Tournament,
)
from tournaments.registration import roster_changes
from tournaments.registration import services as registration_services
from tournaments.registration.roster_changes import NewEntry
from tournaments.results import cuts
from tournaments.results import services as results_services
from tournaments.rounds import cut as rounds_cut
from tournaments.rounds import draft_changes
from tournaments.rounds import services as rounds_services


@dataclass
class Rehearsal:
    """An event, its organiser and its random generator."""

    tournament: Tournament
    owner: Actor
    chance: random.Random
    # By player key.
    strengths: dict[int, int] = field(default_factory=dict)

    def enter(self, entries: Sequence[NewEntry]) -> list[Registration]:
        """Add players to the roster and check them in."""
        added = roster_changes.add_entries(self.tournament, entries, self.owner)
        registration_services.check_in(added, self.owner)
        for registration in added:
            self.strengths[registration.player_id] = draw_strength(self.chance)
        return added

    def submit_decks(self, registration: Registration, *sides: Side) -> None:
        """Submit and lock legal decks for the player; for both sides by default."""
        for side in sides or map(Side, self.tournament.game_played.sides):
            deck = self.submit_unlocked_deck(registration, side)
            decklists_services.lock_deck(deck, Actor(player=registration.player))

    def submit_unlocked_deck(
        self, registration: Registration, side: Side, *, missing_lines: int = 0
    ) -> DeckSubmission:
        """Submit a deck without its last `missing_lines` lines."""
        cards = card_table(self.tournament.game).cards
        lines = sample_deck(side, self.chance, cards, self.snapshot()).splitlines(keepends=True)
        text = "".join(lines[: len(lines) - missing_lines])
        actor = Actor(player=registration.player)
        return decklists_services.receive_deck(registration, side, text, actor).submission

    def snapshot(self) -> SnapshotFacts | None:
        """Return the legality of the event's format on its day; None without a format."""
        rules = decklists_services.deck_rules(self.tournament)
        if not isinstance(rules, AnrRules):
            return None
        format_ = format_table(self.tournament.game).find(rules.format_id)
        return format_.on(self.tournament.starts_on) if format_ else None

    def open_round(self) -> Round:
        """Pair the next round, publish it and start its clock."""
        number = self.tournament.next_round_number()
        draft_changes.request_pairing(self.tournament, number, self.owner, is_limited=False)
        self.run_jobs()
        round_ = self.tournament.rounds.get(number=number)
        rounds_services.publish_round(round_, self.owner)
        rounds_services.start_round(round_, self.owner)
        return round_

    def play_round(self, how: ReportingStyle | None = None) -> None:
        """Play a whole round; results are reported at random by default."""
        round_ = self.open_round()
        for pairing in self.tables(round_):
            self.settle(pairing, self.result(pairing), how or draw_reporting(self.chance))
        self.choose_advancing_players(round_)
        rounds_services.close_round(round_, self.owner)
        self.run_jobs()

    def choose_advancing_players(self, round_: Round) -> None:
        for pairing in rounds_cut.undecided_tables(round_):
            assert pairing.match is not None
            seat = self.chance.choice(list(pairing.match.seats.all()))
            winner = self.tournament.registrations.get(player=seat.player_id)
            cuts.set_advancing_player(pairing, winner, self.owner)

    def tables(self, round_: Round) -> list[Pairing]:
        return list(round_.pairings.with_players().exclude(match=None))

    def result(self, pairing: Pairing) -> MatchResult:
        """Draw a result of this table, based on the players' strengths."""
        assert pairing.match is not None
        strengths = [self.strengths[seat.player_id] for seat in pairing.match.seats.all()]
        return play_table(pairing.match.rule, strengths, self.chance)

    def settle(self, pairing: Pairing, result: MatchResult, how: ReportingStyle) -> None:
        self.choose_side(pairing)
        if how is not ReportingStyle.AT_THE_DESK:
            self.report(pairing, result)
        if how is ReportingStyle.CONFIRMED:
            self.answer(pairing, is_right=True)
        elif how is ReportingStyle.AGREED:
            self.report(pairing, result, position=2)
        else:
            if how is ReportingStyle.DISPUTED:
                self.answer(pairing, is_right=False)
            self.decide(pairing, result)

    def choose_side(self, pairing: Pairing) -> None:
        """Choose a random Corp player if the choice is open: players report only after it."""
        if pairing.has_open_choice:
            assert pairing.match is not None
            seat = self.chance.choice(list(pairing.match.seats.all()))
            corp = self.tournament.registrations.get(player=seat.player_id)
            cuts.choose_corp(pairing, corp, self.owner)

    def report(self, pairing: Pairing, result: MatchResult, *, position: int = 1) -> None:
        assert pairing.match is not None
        seat = pairing.match.seats.select_related("player").get(position=position)
        results_services.report_result(pairing, seat, result, Actor(player=seat.player))

    def answer(self, pairing: Pairing, *, is_right: bool) -> None:
        assert pairing.match is not None
        seat = pairing.match.seats.select_related("player").get(position=2)
        report = pairing.match.reports.latest("pk")
        if is_right:
            results_services.confirm_report(pairing, seat, report.pk, Actor(player=seat.player))
        else:
            note = "We have written down something else."
            results_services.dispute_report(
                pairing, seat, report.pk, Actor(player=seat.player), note
            )

    def decide(self, pairing: Pairing, result: MatchResult) -> None:
        assert pairing.match is not None
        pairing.match.refresh_from_db()
        results_services.decide_result(
            pairing, result, self.owner, seen_version=pairing.match.version
        )

    def run_jobs(self) -> None:
        """Run all queued jobs of the event. Raise CommandError if a job fails."""
        # Simulated rounds need no backups.
        self.tournament.jobs.filter(kind=JobKind.BACK_UP).delete()
        for job in self.tournament.jobs.filter(state=JobState.QUEUED).order_by("pk"):
            jobs.task_of(job)(job.pk)
            job.refresh_from_db()
            if job.state != JobState.DONE:
                raise CommandError(f"{job.get_kind_label()}: {job.error}")
