"""The decks of an event that came in as a file, and the checks of them."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from django.utils import timezone

from decks.models import Card, Decklist, DecklistVersion, DeckSlot
from players.models import User
from tournaments.interchange.services.importing.tables import Places, Told, moment
from tournaments.models import (
    DeckCheck,
    DeckCheckDraw,
    DeckReceipt,
    DeckSubmission,
    Registration,
    Tournament,
)

Cards = Mapping[str, Card]


def store_decks(game: str, told: Sequence[Told], places: Places) -> None:
    """Every deck with one receipt; a card that is not known here stays in the text alone."""
    cards = _cards(game, told)
    for deck in told:
        place = places[deck["player"]]
        version = _version(place, deck["side"], deck, game, cards)
        received = moment(deck["received_at"]) or timezone.now()
        submission = DeckSubmission.objects.create(
            registration=place,
            side=deck["side"],
            version=version,
            received_at=received,
            locked_at=moment(deck["locked_at"]),
            locked_by=deck["locked_by"],
        )
        DeckReceipt.objects.create(
            submission=submission, number=1, version=version, received_at=received
        )


def store_deck_checks(
    tournament: Tournament, told: Sequence[Told], user: Callable[[str], User | None]
) -> None:
    """Every draw with its checks, after the decks; `user` is the account of a username."""
    earlier = [one["earlier_list"] for draw in told for one in draw["checks"]]
    cards = _cards(tournament.game, [one for one in earlier if one])
    rows = DeckSubmission.objects.filter(registration__tournament=tournament)
    decks = {
        (one.registration.number, one.side): one
        for one in rows.select_related("registration__player", "version")
    }
    for draw in told:
        drawn = DeckCheckDraw.objects.create(
            tournament=tournament,
            round_number=draw["round"],
            number=draw["number"],
            seed=draw["seed"],
            drawn_by=user(draw["drawn_by"]),
            drawn_at=moment(draw["drawn_at"]),
        )
        DeckCheck.objects.bulk_create(
            _check(drawn, one, decks[one["player"], one["side"]], cards, user)
            for one in draw["checks"]
        )


def _check(
    drawn: DeckCheckDraw,
    told: Told,
    deck: DeckSubmission,
    cards: Cards,
    user: Callable[[str], User | None],
) -> DeckCheck:
    earlier, game = told["earlier_list"], drawn.tournament.game
    return DeckCheck(
        draw=drawn,
        table_number=told["table"],
        submission=deck,
        version=_version(deck.registration, deck.side, earlier, game, cards)
        if earlier
        else deck.version,
        outcome=told["outcome"],
        note=told["note"],
        checked_by=user(told["checked_by"]),
        checked_at=moment(told["checked_at"]),
    )


def _cards(game: str, lists: Sequence[Told]) -> Cards:
    slugs = {one["identity"] for one in lists if one["identity"]}
    slugs |= {slot["card"] for one in lists for slot in one["slots"]}
    return {card.slug: card for card in Card.objects.filter(game=game, slug__in=slugs)}


def _version(
    place: Registration, side: str, told: Told, game: str, cards: Cards
) -> DecklistVersion:
    decklist, _ = Decklist.objects.get_or_create(
        player=place.player, game=game, side=side, title=told["title"]
    )
    kept = ("text", "form", "size", "agenda_points", "is_legal", "breaches", "notices", "seal")
    version = DecklistVersion.objects.create(
        decklist=decklist,
        number=decklist.versions.count() + 1,
        identity=cards.get(told["identity"] or ""),
        format_id=told["format"],
        snapshot_id=told["snapshot"],
        judged_on=date.fromisoformat(told["judged_on"]) if told["judged_on"] else None,
        **{key: told[key] for key in kept},
    )
    DeckSlot.objects.bulk_create(
        DeckSlot(
            version=version,
            card=cards[slot["card"]],
            printing=slot["printing"],
            position=position,
            quantity=slot["quantity"],
        )
        for position, slot in enumerate(told["slots"], start=1)
        if slot["card"] in cards
    )
    return version
