"""From an event as a document has it to rows: a few statements for each table, however many."""

from datetime import date, time

from core.pause_points import pause_point
from core.text import comparison_key
from decks.models import Card
from decks.titles import folded_title
from engine.table_plan import RangesError, numbers_of
from players.models import Player, User
from tournaments.event import queries, snapshots
from tournaments.event.services import save_new
from tournaments.interchange.formats.records import FileRefused
from tournaments.interchange.services.private_rows import PrivatePart
from tournaments.interchange.services.round_rows import Document, Places, moment, store_rounds
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
Known = dict[tuple[str, str], int | None]


def store(event: Document, owner: User | None, *, trusted: bool = False) -> Tournament:
    """The event as rows, with its standings after each round. Call inside a transaction.

    Only from a `trusted` file other accounts than the owner's get a role or are named, and is an
    event public at once.
    """
    tournament = unsaved(event)
    if not trusted and tournament.visibility == Visibility.PUBLIC:
        tournament.visibility = Visibility.UNLISTED
    tournament = save_new(tournament)
    places = _places(tournament, event)
    _identities(tournament, event, places)
    pause_point("import:players")
    for data in event["stages"]:
        stage = _stage(tournament, data, places)
        store_rounds(stage, data, places, event["seed"])
    pause_point("import:rounds")
    if owner is not None:
        Staff.objects.create(tournament=tournament, user=owner, role=StaffRole.OWNER)
    if event["private"]:
        users = _users(event["private"], owner, trusted=trusted)
        part = PrivatePart(tournament, event, places, users, trusted=trusted)
        part.store(owner)
    for round_, table in snapshots.tables_from(tournament, 1):
        snapshots.store_table(tournament, round_, table)
    pause_point("import:standings")
    tournament.refresh_from_db()
    return tournament


def _refuse_ranges(settings: Document) -> None:
    for key in ("table_numbers", "feature_tables"):
        try:
            numbers_of(settings[key])
        except RangesError as error:
            raise FileRefused(str(error), f"$.event.settings.{key}") from error


def unsaved(event: Document) -> Tournament:
    """The event alone, of which nothing is written. Raises FileRefused."""
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
    """The accounts that may be named: of a stranger's file nobody but the owner."""
    known = {owner.username: owner} if owner else {}
    if trusted:
        names = [one["username"] for one in data["staff"]]
        known |= {one.username: one for one in User.objects.filter(username__in=names)}
    return known


def _places(tournament: Tournament, event: Document) -> Places:
    players = []
    for data in event["players"]:
        player = Player(pronouns=data["pronouns"])
        # Written in bulk, so the name is set here and not by `save`.
        player.set_name(data["name"])
        players.append(player)
    players = Player.objects.bulk_create(players)
    made = Registration.objects.bulk_create(
        registration(tournament, data, player)
        for data, player in zip(event["players"], players, strict=True)
    )
    return {one.number: one for one in made}


def registration(tournament: Tournament, data: Document, player: Player) -> Registration:
    """A player's place, of which nothing is written."""
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


def _identities(tournament: Tournament, event: Document, places: Places) -> None:
    rows = [
        (places[player["id"]], one["side"], one["title"])
        for player in event["players"]
        for one in player["identities"]
    ]
    known = _known_identities(event)
    StatedIdentity.objects.bulk_create(
        StatedIdentity(
            registration=place, side=side, title=title, card_id=_find(known, side, title)
        )
        for place, side, title in rows
    )


def unknown_identities(event: Document) -> list[str]:
    """Titles of identities that no card here has, in the order of the alphabet."""
    known = _known_identities(event)
    identities = [one for player in event["players"] for one in player["identities"]]
    return sorted(
        {one["title"] for one in identities if not _find(known, one["side"], one["title"])}
    )


def _known_identities(event: Document) -> Known:
    """Identities by side and title, whole or folded; None where two share one folded title."""
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


def _stage(tournament: Tournament, data: Document, places: Places) -> Stage:
    stage = Stage.objects.create(
        tournament=tournament,
        decks_shown_at=moment(data["decks_shown_at"]),
        seeds_shown_at=moment(data["seeds_shown_at"]),
        **{
            key: data[key]
            for key in ("number", "system", "scoring_rule", "fixed_bracket", "decks_shown_to")
        },
    )
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
    return stage
