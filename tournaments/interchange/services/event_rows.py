"""Store the event of a document with a constant number of statements per batch."""

from collections.abc import Iterator, Sequence
from datetime import date, time
from functools import partial

from django.utils import timezone

from core.pause_points import pause_point
from core.rate_limits import Busy
from core.text import comparison_key
from decks.models import Card
from decks.titles import folded_title
from engine.table_plan import RangesError, numbers_of
from players.models import Player, User
from tournaments.event import queries, snapshots
from tournaments.event.attendance import BATCH
from tournaments.event.services import save_new
from tournaments.interchange.formats.records import FileRefused
from tournaments.interchange.services.private_rows import PrivatePart
from tournaments.interchange.services.round_rows import Document, Places, Step, moment, store_rounds
from tournaments.models import (
    Registration,
    Staff,
    StaffRole,
    Stage,
    StageEntry,
    StatedIdentity,
    Tournament,
    Visibility,
)

MOMENTS = (
    "registration_closes_at",
    "decks_close_at",
    "decks_locked_at",
    "decks_revealed_at",
    "finished_at",
    "day_two_opened_at",
)
DAYS = ("starts_on", "ends_on", "day_two_on")
HOURS = ("start_time", "end_time", "day_two_time")
KEPT_AS_IS = (
    "state",
    "first_round_bye",
    "seed",
    "avoid_group",
    "joined_in_round",
    "fixed_table",
    "avoids_stream",
    "meeting_table",
    "dropped_by",
    "waiting_rank",
)
# Settings of the file that are applied after everything is stored.
REVEALED = ("visibility", "registration_is_open", "finished_at")
TOO_LATE = "The import took too long and was undone. Try again when the site is less busy."
Known = dict[tuple[str, str], int | None]


def store_hidden(event: Document) -> Tournament:
    """Store the event without players; it stays hidden until `reveal`."""
    tournament = unsaved(event)
    tournament.visibility = Visibility.PRIVATE
    tournament.registration_is_open = False
    tournament.finished_at = None
    tournament.import_touched_at = timezone.now()
    return save_new(tournament)


def steps_of(
    tournament: Tournament, event: Document, owner: User | None, *, trusted: bool
) -> Iterator[Step]:
    """Yield the steps that store players, rounds, the private part and standings of the event.

    Rows are prepared and read between the steps, so that a step holds the write lock only while
    writing. Accounts other than the owner are linked only if the file is `trusted`.
    """
    places: dict[int, Registration] = {}
    for start in range(0, len(event["players"]), BATCH):
        yield partial(_places, tournament, event["players"][start : start + BATCH], places)
    yield from _identities(tournament, event, places)
    pause_point("import:players")
    for data in event["stages"]:
        stage = Stage(tournament=tournament)
        yield partial(_stage, stage, data, places)
        yield from store_rounds(stage, data, places, event["seed"])
    pause_point("import:rounds")
    if event["private"]:
        part = _private_part(tournament, event, owner, trusted=trusted)
        yield from part.steps()
    for round_, table in snapshots.tables_from(tournament, 1):
        yield partial(snapshots.store_table, tournament, round_, table)
    pause_point("import:standings")


def reveal(
    tournament: Tournament, event: Document, owner: User | None, *, trusted: bool
) -> Tournament:
    """Reveal the event with its staff and local rulings. Call inside a transaction.

    Unless the file is `trusted`, only the owner gets a role, and a public event becomes unlisted.
    Raises Busy if the import took so long that its rows were deleted as abandoned.
    """
    locked = Tournament.objects.select_for_update().filter(pk=tournament.pk)
    found = locked.filter(import_touched_at__isnull=False).first()
    if found is None:
        raise Busy(TOO_LATE)
    if owner is not None:
        Staff.objects.create(tournament=found, user=owner, role=StaffRole.OWNER)
    if event["private"]:
        _private_part(found, event, owner, trusted=trusted).store_staff_and_rulings()
    stated = unsaved(event)
    found.visibility = stated.visibility
    if not trusted and stated.visibility == Visibility.PUBLIC:
        found.visibility = Visibility.UNLISTED
    found.registration_is_open = stated.registration_is_open
    found.finished_at = stated.finished_at
    found.import_touched_at = None
    found.save(update_fields=["import_touched_at", *REVEALED])
    found.refresh_from_db()
    return found


def _private_part(
    tournament: Tournament, event: Document, owner: User | None, *, trusted: bool
) -> PrivatePart:
    users = _users(event["private"], owner, trusted=trusted)
    places = {one.number: one for one in tournament.registrations.select_related("player")}
    return PrivatePart(tournament, event, places, users, owner, trusted=trusted)


def _refuse_ranges(settings: Document) -> None:
    for key in ("table_numbers", "feature_tables"):
        try:
            numbers_of(settings[key])
        except RangesError as error:
            raise FileRefused(str(error), f"$.event.settings.{key}") from error


def unsaved(event: Document) -> Tournament:
    """Build the unsaved event. Raises FileRefused."""
    settings = event["settings"]
    _refuse_ranges(settings)
    facts = {key: moment(value) if key in MOMENTS else value for key, value in settings.items()}
    facts |= {key: date.fromisoformat(facts[key]) for key in DAYS if facts[key]}
    facts |= {key: time.fromisoformat(facts[key]) for key in HOURS if facts[key]}
    facts["seed"] = event["seed"]
    if event["private"]:
        facts["staff_need_second_factor"] = event["private"]["staff_need_second_factor"]
    return Tournament(slug=queries.free_slug(facts["name"]), **facts)


def _users(data: Document, owner: User | None, *, trusted: bool) -> dict[str, User]:
    """Accounts that may be linked: only the owner, unless the file is trusted."""
    known = {owner.username: owner} if owner else {}
    if trusted:
        names = [one["username"] for one in data["staff"]]
        known |= {one.username: one for one in User.objects.filter(username__in=names)}
    return known


def _places(
    tournament: Tournament, entries: Sequence[Document], places: dict[int, Registration]
) -> None:
    """Store these players and add their registrations to `places` by number."""
    players = []
    for data in entries:
        player = Player(pronouns=data["pronouns"])
        # `bulk_create` bypasses `save`, so set the name here.
        player.set_name(data["name"])
        players.append(player)
    players = Player.objects.bulk_create(players)
    made = Registration.objects.bulk_create(
        registration(tournament, data, player)
        for data, player in zip(entries, players, strict=True)
    )
    places.update((one.number, one) for one in made)


def registration(tournament: Tournament, data: Document, player: Player) -> Registration:
    """Build the unsaved registration of a player."""
    return Registration(
        tournament=tournament,
        player=player,
        number=data["id"],
        checked_in_at=moment(data["checked_in_at"]),
        dropped_at=moment(data["dropped_at"]),
        day_two_at=moment(data["day_two_at"]),
        paid_at=moment(data["paid_at"]),
        **{key: data[key] for key in KEPT_AS_IS},
    )


def _identities(tournament: Tournament, event: Document, places: Places) -> Iterator[Step]:
    stated = [
        (places[player["id"]], one["side"], one["title"])
        for player in event["players"]
        for one in player["identities"]
    ]
    known = _known_identities(event)
    rows = [
        StatedIdentity(
            registration=place, side=side, title=title, card_id=_find(known, side, title)
        )
        for place, side, title in stated
    ]
    for start in range(0, len(rows), BATCH):
        yield partial(StatedIdentity.objects.bulk_create, rows[start : start + BATCH])


def unknown_identities(event: Document) -> list[str]:
    """Titles of identities that match no card, in alphabetical order."""
    known = _known_identities(event)
    identities = [one for player in event["players"] for one in player["identities"]]
    return sorted(
        {one["title"] for one in identities if not _find(known, one["side"], one["title"])}
    )


def _known_identities(event: Document) -> Known:
    """Identities by side and title, exact or folded; None if a folded title is ambiguous."""
    if not any(player["identities"] for player in event["players"]):
        return {}
    game = event["settings"]["game"]
    cards = Card.objects.filter(game=game, type__endswith="identity").order_by("pk")
    known: Known = {}
    for key, side, title in cards.values_list("pk", "side", "title"):
        folded = (side, folded_title(title))
        known[folded] = None if known.get(folded, key) != key else key
    for key, side, title in cards.values_list("pk", "side", "title"):
        known[side, comparison_key(title)] = key
    return known


def _find(known: Known, side: str, title: str) -> int | None:
    return known.get((side, comparison_key(title))) or known.get((side, folded_title(title)))


def _stage(stage: Stage, data: Document, places: Places) -> None:
    """Store this new stage with its entries."""
    for key in ("number", "system", "scoring_rule", "fixed_bracket", "decks_shown_to"):
        setattr(stage, key, data[key])
    stage.decks_shown_at = moment(data["decks_shown_at"])
    stage.seeds_shown_at = moment(data["seeds_shown_at"])
    stage.save()
    StageEntry.objects.bulk_create(
        StageEntry(
            stage=stage,
            registration=places[one["player"]],
            seed=one["seed"],
            declined=one["declined"],
            place=one["place"],
        )
        for one in data["entries"]
    )
