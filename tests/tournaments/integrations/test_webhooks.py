"""Webhooks: stored messages and management."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from core.http import AddressNotAllowed
from decks.models import Card, Side
from tests.core.tls_site import HOST
from tests.factories.submissions import submit_deck
from tests.factories.tournaments import (
    close_round,
    draft_round,
    enter_result,
    fresh,
    games_for,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    sweep,
    table,
)
from tests.factories.webhooks import (
    ADDRESS,
    add_webhook,
    events_sent,
    payloads,
)
from tournaments.event.permissions import Actor
from tournaments.integrations import webhooks
from tournaments.judging import calls, penalties
from tournaments.models import Registration, Round, Tournament, Webhook
from tournaments.practice import services as practice_services
from tournaments.results import cuts
from tournaments.results import services as results_services
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services


def test_whole_round_is_sent(event: Tournament):
    webhook = add_webhook(event)

    play_round(event)
    settings_services.finish_event(event, owner_of(event))

    assert events_sent(webhook) == [
        "round.published",
        "round.started",
        "result.settled",
        "result.settled",
        "round.closed",
        "standings.updated",
        "event.finished",
    ]


def test_payload_has_the_public_result_and_its_addresses(settings):
    settings.SITE_ADDRESS = "https://play.example"
    event = make_event(players=2, name="Autumn Run")
    webhook = add_webhook(event, "result.settled")
    round_ = start_round(event)
    enter_result(table(round_, 1), sweep(1, 3))

    (payload,) = payloads(webhook)
    assert payload["id"] == str(webhook.deliveries.get().uid)
    assert payload["tournament"] == {
        "slug": "autumn-run",
        "name": "Autumn Run",
        "version": fresh(event).version,
    }
    assert (payload["round"], payload["table"]) == (1, 1)
    seats = payload["result"]["seats"]
    assert {seat["number"] for seat in seats} == {1, 2}
    assert [seat["match_points"] for seat in seats] == [20, 3]
    assert payload["urls"] == {
        "tournament": "https://play.example/api/v1/events/autumn-run/",
        "standings": "https://play.example/api/v1/events/autumn-run/standings/",
        "round": "https://play.example/api/v1/events/autumn-run/rounds/1/",
    }


def test_report_is_sent_when_confirmed(event: Tournament):
    webhook = add_webhook(event, "result.settled")
    pairing = table(start_round(event), 1)
    seat, opponent = pairing.match.seats.all()

    results_services.report_result(pairing, seat, sweep(1), owner_of(event))
    assert payloads(webhook) == []

    report = pairing.match.reports.get()
    results_services.confirm_report(pairing, opponent, report.pk, owner_of(event))
    assert len(payloads(webhook)) == 1


def test_equal_report_of_the_opponent_is_sent_once(event: Tournament):
    webhook = add_webhook(event, "result.settled")
    pairing = table(start_round(event), 1)

    for seat in pairing.match.seats.all():
        results_services.report_result(pairing, seat, sweep(1), owner_of(event))

    assert len(payloads(webhook)) == 1


def test_cut_is_sent_when_its_round_is_published(event: Tournament):
    play_round(event)
    webhook = add_webhook(event, "cut.made")
    players = [player_number(event, number) for number in (1, 2)]
    owner = owner_of(event)
    cuts.make_cut(event, players, owner, system="single_elimination", reason="As they wished")
    draft = draft_round(event)
    assert payloads(webhook) == []

    rounds_services.publish_round(draft, owner_of(event))

    assert events_sent(webhook) == ["cut.made"]


def test_cut_is_sent_once_when_its_seeds_are_published(event: Tournament):
    play_round(event)
    webhook, owner = add_webhook(event, "cut.made"), owner_of(event)
    players = event.cut_candidates()[:2]
    stage = cuts.make_cut(event, players, owner, system="single_elimination")

    cuts.publish_cut(stage, owner)

    assert events_sent(webhook) == ["cut.made"]
    start_round(event)
    assert events_sent(webhook) == ["cut.made"]


def test_only_subscribed_events_are_sent_and_none_of_a_practice_event(event: Tournament):
    webhook = add_webhook(event, "round.closed")
    practice = practice_services.create_practice(event, owner_of(event))
    webhook_of_practice = add_webhook(practice)

    play_round(event)
    play_round(practice)

    assert events_sent(webhook) == ["round.closed"]
    assert payloads(webhook_of_practice) == []


def test_rolled_back_change_is_not_sent(event: Tournament):
    webhook = add_webhook(event)
    draft = draft_round(event)

    with transaction.atomic():
        rounds_services.publish_round(draft, owner_of(event))
        transaction.set_rollback(True)

    assert payloads(webhook) == []


def test_result_of_an_event_without_webhooks_costs_no_query(round_: Round):
    with CaptureQueriesContext(connection) as captured:
        enter_result(table(round_, 1), games_for(table(round_, 1)))

    assert not [query for query in captured if 'FROM "tournaments_webhook' in query["sql"][:60]]


def test_private_address_is_refused():
    event, address = make_event(players=0), "https://127.0.0.1/x"
    webhook = add_webhook(event)

    with pytest.raises(AddressNotAllowed):
        add_webhook(event, address=address)
    with pytest.raises(AddressNotAllowed):
        webhooks.change_webhook(webhook, owner_of(event), address=address)

    assert event.webhooks.get().address == ADDRESS


def test_event_has_at_most_five_webhooks():
    event = make_event(players=0)
    for _ in range(webhooks.MAX_WEBHOOKS):
        add_webhook(event)

    with pytest.raises(webhooks.TooManyWebhooks):
        add_webhook(event)


def test_removed_webhook_cannot_be_changed(event: Tournament):
    webhook = add_webhook(event)
    webhooks.remove_webhook(Webhook.objects.get(pk=webhook.pk), owner_of(event))

    for change in (
        lambda: webhooks.remove_webhook(webhook, owner_of(event)),
        lambda: webhooks.switch_webhook(webhook, owner_of(event), on=False),
        lambda: webhooks.send_webhook_test(webhook),
    ):
        with pytest.raises(webhooks.WebhookIsGone, match="webhook was removed"):
            change()


def test_log_has_the_site_but_no_address_or_secret():
    event = make_event(players=0)
    webhook = add_webhook(event)
    webhooks.change_webhook(
        webhook, owner_of(event), address=f"{ADDRESS}2", events=["round.closed"]
    )
    webhooks.switch_webhook(webhook, owner_of(event), on=False)
    secret = webhooks.replace_secret(webhook, owner_of(event))
    webhooks.remove_webhook(webhook, owner_of(event))

    entries = event.log.filter(action__startswith="webhook")
    assert entries.count() == 5
    logged = repr(list(entries.values("subject", "before", "after")))
    assert HOST in logged
    assert "very-secret" not in logged
    assert secret not in logged


# Traces of private data.
PRIVATE_TRACES = ("Canary", "QQ7777", "424242", "slow-play", "hidden-group")


def test_messages_contain_no_private_data():
    Card.objects.create(title="Canary Protocol", slug="canary", side=Side.CORP, type="operation")
    event = make_event(players=4, visibility="private", join_code="QQ7777", seed=424242)
    webhook = add_webhook(event)
    owner, ada = owner_of(event), player_number(event, 1)
    Registration.objects.update(avoid_group="hidden-group")
    submit_deck(ada, Side.CORP, "44 Canary Protocol", Actor(player=ada.player))
    draft_round(event)
    assert payloads(webhook) == []
    rounds_services.publish_round(get_round(event, 1), owner)
    rounds_services.start_round(get_round(event, 1), owner)
    pairing = table(get_round(event, 1), 1)
    calls.raise_call(pairing, owner, "Canary asked")
    penalties.give(event, ada, owner, infraction="slow-play", text="Canary noted")
    for number in (1, 2):
        pairing = table(get_round(event, 1), number)
        version, result = pairing.match.version, games_for(pairing)
        results_services.decide_result(
            pairing, result, owner, seen_version=version, note="Canary decided"
        )
    close_round(get_round(event, 1))
    settings_services.finish_event(event, owner)

    assert len(payloads(webhook)) >= 7
    sent = repr(payloads(webhook))
    assert [trace for trace in PRIVATE_TRACES if trace in sent] == []
    keys = {key for payload in payloads(webhook) for key in payload}
    assert keys == {"id", "event", "sent_at", "tournament", "urls", "round", "table", "result"}
