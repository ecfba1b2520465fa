"""Submitted decks: through the service, or as rows for tests of visibility."""

from hashlib import sha256

from django.utils import timezone

from decks.models import Card, CardFaction, Decklist, DecklistVersion, DeckSlot, Side
from tournaments.decklists import services as decklists_services
from tournaments.event.permissions import Actor
from tournaments.models import DeckSubmission, Registration, Tournament

BIOROID, BIOROIDS = "haas_bioroid", "Haas-Bioroid"


def identity_card(title: str, *, side: str = Side.CORP, faction: str = BIOROID) -> Card:
    """An Android: Netrunner identity with its faction."""
    CardFaction.objects.get_or_create(
        game="anr",
        faction_id=faction,
        defaults={"name": BIOROIDS if faction == BIOROID else faction.title(), "side": side},
    )
    card = Card.objects.filter(game="anr", title=title).first()
    return card or Card.objects.create(
        game="anr",
        title=title,
        slug=f"card-{Card.objects.count() + 1}",
        side=side,
        type="identity",
        faction=faction,
    )


def plain_card(title: str, game: str = "onr", side: str = Side.CORP) -> Card:
    """A card with this title and no particular rules."""
    card = Card.objects.filter(game=game, title=title).first()
    return card or Card.objects.create(
        game=game,
        title=title,
        slug=f"card-{Card.objects.count() + 1}",
        side=side,
        type="operation",
    )


def submit_deck(registration: Registration, side: Side, text: str, actor: Actor) -> DeckSubmission:
    return decklists_services.receive_deck(registration, side, text, actor).submission


def submit(
    owner: Registration,
    *,
    side: str = Side.CORP,
    identity: Card | None = None,
    cards: tuple[Card, ...] = (),
    copies: int = 3,
) -> DeckSubmission:
    """A legal deck of this player, replacing the deck of that side."""
    game = owner.tournament.game
    decklist, _ = Decklist.objects.get_or_create(player=owner.player, game=game, side=side)
    number = decklist.versions.count() + 1
    titles = [identity.title] if identity else []
    version = DecklistVersion.objects.create(
        decklist=decklist,
        number=number,
        text="\n".join([*titles, *(f"{copies} {card.title}" for card in cards)]),
        identity=identity,
        size=45,
        is_legal=True,
        seal=sha256(f"{decklist.pk} {number}".encode()).hexdigest(),
    )
    DeckSlot.objects.bulk_create(
        DeckSlot(version=version, card=card, quantity=copies, position=line_number)
        for line_number, card in enumerate(cards, start=1)
    )
    submission, _ = DeckSubmission.objects.update_or_create(
        registration=owner,
        side=side,
        defaults={"version": version, "received_at": timezone.now()},
    )
    return submission


def submit_for_all(tournament: Tournament) -> list[DeckSubmission]:
    """A Corp deck of every player on the roster, by number; for `anr` with an identity."""
    identity = identity_card(f"{BIOROIDS}: Precision Design") if tournament.game == "anr" else None
    roster = tournament.registrations.select_related("player", "tournament").order_by("number")
    return [submit(owner, identity=identity) for owner in roster]
