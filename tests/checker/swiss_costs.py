"""Costs of Swiss tables and byes by the formulas of docs/reference/rules.md, level by level.

Costs are tuples, heaviest level first.
"""

from typing import Any

from tests.checker.reading import Couple, Document, Player, ids_of

Cost = tuple[int, ...]

# Names of the levels of each profile, in order.
LEVELS: dict[str, tuple[str, ...]] = {
    "double": (
        "second_bye",
        "third_meeting",
        "same_roles",
        "rematch",
        "avoid_group",
        "point_gap",
    ),
    "single": (
        "second_bye",
        "third_meeting",
        "same_roles",
        "avoid_group",
        "side_imbalance",
        "closeness",
    ),
    "single_once": (
        "second_bye",
        "third_meeting",
        "same_roles",
        "second_meeting",
        "avoid_group",
        "side_imbalance",
        "closeness",
    ),
}


def way_of(document: Document) -> str:
    """Return the profile of a Swiss document: a single-sided event may avoid second meetings.

    Without the key it does if the planned rounds fit a round robin of all past and active players.
    """
    if document["system"] != "single":
        return str(document["system"])
    setting = document.get("avoid_second_meetings")
    if setting is None:
        ids = {row["id"] for row in document["players"] if row.get("active", True)}
        ids.update(
            id_ for round_ in document["rounds"] for entry in round_ for id_ in ids_of(entry)
        )
        everybody_once = len(ids) if len(ids) % 2 else len(ids) - 1
        planned = document.get("planned_rounds")
        setting = planned is not None and planned <= everybody_once
    return "single_once" if setting else "single"


def balance(player: Player) -> int:
    """Return Corp minus Runner games; meetings without known roles do not count."""
    roles = [role for _, role in player["meetings"]]
    return roles.count("corp") - roles.count("runner")


def times_corp(player: Player) -> int:
    """Count the meetings in which the player was Corp in game 1."""
    return [role for _, role in player["meetings"]].count("corp")


def roles_against(player: Player, opponent_id: Any) -> list[str | None]:
    """Return the player's roles against an opponent, earliest first."""
    return [role for opponent, role in player["meetings"] if opponent == opponent_id]


def corps_by_rule(first: Player, second: Player, system: str) -> set[Any]:
    """Return the possible Corp players; both if the random draw decides."""
    known_roles = [role for role in roles_against(first, second["id"]) if role is not None]
    if known_roles:
        return {second["id"] if known_roles[-1] == "corp" else first["id"]}
    count = times_corp if system == "double" else balance
    counts = {player["id"]: count(player) for player in (first, second)}
    return {id_ for id_, value in counts.items() if value == min(counts.values())}


class Costs:
    """Cached costs of the couples of a field; `without_aim` leaves out the last level."""

    def __init__(
        self, players: dict[Any, Player], system: str, *, without_aim: bool = False
    ) -> None:
        self.players, self.system = players, system
        self.levels = LEVELS[system][: -1 if without_aim else None]
        lowest = min((player["points"] for player in players.values()), default=0)
        # A bye counts as a score of -1, or less if a player has a negative score.
        self.bye_score = min(-1, lowest - 1)
        self._known: dict[Couple, Cost] = {}

    def of(self, player: Any, opponent: Any) -> Cost:
        """Return the cost of a table, or of a bye if a player is None."""
        if (player, opponent) not in self._known:
            cost = (
                self._of_bye(player, opponent)
                if None in (player, opponent)
                else self._of_table(player, opponent)
            )
            self._known[player, opponent] = self._known[opponent, player] = cost[: len(self.levels)]
        return self._known[player, opponent]

    def total(self, couples: list[Couple]) -> Cost:
        rows = [self.of(player, opponent) for player, opponent in couples]
        return tuple(sum(column) for column in zip(*rows, strict=True)) or self.nothing

    @property
    def nothing(self) -> Cost:
        return (0,) * len(self.levels)

    def _of_bye(self, player: Any, opponent: Any) -> Cost:
        player = self.players[opponent if player is None else player]
        rules_of_tables = (0,) * (len(LEVELS[self.system]) - 2)
        return player["byes"], *rules_of_tables, (player["points"] - self.bye_score) ** 2

    def _of_table(self, player: Any, opponent: Any) -> Cost:
        first, second = self.players[player], self.players[opponent]
        roles = roles_against(first, opponent)
        third = max(0, len(roles) - 1)
        same_roles = int("corp" in roles and "runner" in roles)
        group = int(first["group"] is not None and first["group"] == second["group"])
        gap = (first["points"] - second["points"]) ** 2
        if self.system == "double":
            return 0, third, same_roles, int(bool(roles)), group, gap
        changes = worsened(first, second)
        rematch = (int(bool(roles)),) if self.system == "single_once" else ()
        imbalances = sum(abs(after) >= 2 for _, after in changes)
        # The exponent is the imbalance that is made worse; 0 for none.
        largest = max((abs(before) for before, _ in changes), default=0)
        closeness = gap + 5 * bool(roles) + 50**largest
        return 0, third, same_roles, *rematch, group, imbalances, closeness


def worsened(first: Player, second: Player) -> list[tuple[int, int]]:
    """Return Corp - Runner before and after the game of the players it moves from zero."""
    corp = first if first["id"] in corps_by_rule(first, second, "single") else second
    runner = second if corp is first else first
    changes = [(balance(corp), balance(corp) + 1), (balance(runner), balance(runner) - 1)]
    return [(before, after) for before, after in changes if abs(after) > abs(before)]
