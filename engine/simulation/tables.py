"""Simulated players: names, strengths, games and reporting, all from one random.Random.

Only integers: a float could be rounded differently on another machine, and the same seed would give
another event.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import TypeVar

from matches.scoring.results import Flag, GameEnd, GameResult, MatchResult, Role
from matches.scoring.rules import AGENDA_POINTS_TO_WIN, AgendaRule, RankRule, ScoringRule

Outcome = TypeVar("Outcome")
WINNING_POINTS = {7: 7, 8: 2, 9: 1}
CORP_WINS = {GameEnd.AGENDA: 56, GameEnd.FLATLINE: 38, GameEnd.CONCESSION: 6}
RUNNER_WINS = {
    GameEnd.AGENDA: 78,
    GameEnd.DECKED: 12,
    GameEnd.CONCESSION: 7,
    GameEnd.BAD_PUBLICITY: 3,
}
# A game in this many runs out of time; game 2 of a match does so more often.
TIME_OUT_ODDS = {1: 100, 2: 15}

# Weights of flags of a whole match, if its scoring rule has them.
FLAG_WEIGHTS = {None: 92, Flag.INTENTIONAL_DRAW: 3, Flag.TWO_FOR_ONE: 3, Flag.TIMED: 2}

STRONGEST = 18**2
# Dice of victory points: strong and lucky players get more points.
VICTORY_DICE = 8


class ReportingStyle(Enum):
    CONFIRMED = "one player reports, the other confirms"
    AGREED = "both report the same"
    DISPUTED = "one player reports, the other disputes, the staff decide"
    AT_THE_DESK = "the staff enter a slip"


REPORTING_WEIGHTS = {
    ReportingStyle.CONFIRMED: 60,
    ReportingStyle.AGREED: 15,
    ReportingStyle.DISPUTED: 5,
    ReportingStyle.AT_THE_DESK: 20,
}


def draw_strength(chance: random.Random) -> int:
    """Draw a strength from 9 to 324, usually near the middle."""
    return sum(chance.randint(1, 6) for _ in range(3)) ** 2


def play_table(rule: ScoringRule, strengths: Sequence[int], chance: random.Random) -> MatchResult:
    if isinstance(rule, RankRule):
        return MatchResult(
            victory_points=tuple(_draw_victory_points(strength, chance) for strength in strengths)
        )
    first, second = strengths
    if isinstance(rule, AgendaRule):
        return MatchResult(play_two_games(first, second, chance))
    flag = draw_weighted(FLAG_WEIGHTS, chance)
    flags = frozenset({flag} if flag in rule.flags and flag is not None else ())
    if Flag.INTENTIONAL_DRAW in flags:
        return MatchResult(flags=flags)
    games_played = 1 if Flag.TWO_FOR_ONE in flags else rule.games_per_match
    # Only the winner of a game is known; a game that runs out of time is a draw.
    games = []
    for number, (corp, runner) in enumerate(((first, second), (second, first))[:games_played], 1):
        if chance.randrange(TIME_OUT_ODDS[number]) == 0:
            games.append(GameResult(number, number, None, GameEnd.TIME))
        else:
            winner = Role.CORP if chance.randrange(corp + runner) < corp else Role.RUNNER
            games.append(GameResult(number, number, winner, GameEnd.NOT_RECORDED))
    return MatchResult(tuple(games), flags)


def _draw_victory_points(strength: int, chance: random.Random) -> int:
    """Each die counts with a probability that grows with the strength."""
    dice = (chance.randint(1, 6) for _ in range(VICTORY_DICE))
    return sum(die for die in dice if chance.randrange(STRONGEST) < strength + STRONGEST // 3)


def play_two_games(first: int, second: int, chance: random.Random) -> tuple[GameResult, GameResult]:
    """Simulate the two games of a match; the first player is Corp in game 1."""
    return _play_game(1, first, second, chance), _play_game(2, second, first, chance)


def draw_reporting(chance: random.Random) -> ReportingStyle:
    return draw_weighted(REPORTING_WEIGHTS, chance)


def _play_game(number: int, corp: int, runner: int, chance: random.Random) -> GameResult:
    if chance.randrange(TIME_OUT_ODDS[number]) == 0:
        return GameResult(
            number,
            number,
            None,
            GameEnd.TIME,
            _draw_losing_points(chance),
            _draw_losing_points(chance),
        )
    winner = Role.CORP if chance.randrange(corp + runner) < corp else Role.RUNNER
    end = draw_weighted(CORP_WINS if winner is Role.CORP else RUNNER_WINS, chance)
    points = {winner: _draw_losing_points(chance), winner.other: _draw_losing_points(chance)}
    if end is GameEnd.AGENDA:
        points[winner] = draw_weighted(WINNING_POINTS, chance)
    return GameResult(number, number, winner, end, points[Role.CORP], points[Role.RUNNER])


def _draw_losing_points(chance: random.Random) -> int:
    most = AGENDA_POINTS_TO_WIN - 1
    return min(chance.randint(0, most), chance.randint(1, most))


def draw_weighted(weights: Mapping[Outcome, int], chance: random.Random) -> Outcome:
    lots = [outcome for outcome, weight in weights.items() for _ in range(weight)]
    return chance.choice(lots)


@dataclass(frozen=True)
class NameGroup:
    given: str
    family: str
    form: str = "{given} {family}"

    def names(self) -> list[str]:
        return [
            self.form.format(given=given, family=family)
            for given, family in product(self.given.split(), self.family.split())
        ]


NAME_GROUPS = (
    NameGroup(
        "Ada Bram Chloé Dario Elif Fiadh Goran Héloïse Imke Jörg Kasia Lorenzo Maeve Nuno "
        "Oda Piotr Quentin Ronja Søren Thandiwe",
        "Almeida Brennan Çelik Dvořák Eriksson Fournier Gallo Håkansson Ionescu Jansen "
        "Kovač Lindqvist Müller Nowak O'Shea Peeters Reyes Škoda Tanner Weiß",
    ),
    NameGroup("Анна Борис Вера Глеб Дарья Илья", "Власенко Долгих Ковальчук Лысенко Седых Черных"),
    NameGroup("Αλέξης Δάφνη Ελένη Θάνος Μυρτώ Νίκος", "Βασιλείου Γεωργίου Καρράς Λάμπρου Παππάς"),
    NameGroup("נועה איתן מאיה יונתן תמר", "כהן לוי מזרחי פרץ שגב"),
    NameGroup("ليلى كريم سلمى طارق هالة", "حداد منصور نصر الخطيب زيدان"),
    NameGroup("伟 敏 静 磊 芳 浩然", "王 李 张 刘 陈 欧阳", form="{family}{given}"),
    NameGroup(
        "さくら はると ゆい 蓮 陽菜 大和", "佐藤 鈴木 高橋 田中 渡辺", form="{family} {given}"
    ),
    NameGroup("민준 서연 도윤 하은 지호", "김 이 박 최 정", form="{family}{given}"),
    NameGroup("आरव दीया ईशान काव्या रोहन", "शर्मा वर्मा पटेल मेहता जोशी"),
    NameGroup("กานต์ ชลธิชา ณัฐ ปิยะ มาลี", "ใจดี ศรีสุข ทองคำ วงศ์ไทย"),
    NameGroup("ნინო გიორგი თამარ ლუკა მარიამ", "ბერიძე კაპანაძე გელაშვილი ლომიძე"),
    NameGroup("Արամ Նարե Տիգրան Մանե Դավիթ", "Պետրոսյան Սարգսյան Հակոբյան Մելքոնյան"),
)


def draw_player_names(count: int, chance: random.Random) -> list[str]:
    """Return this many different names; the same `chance` gives the same names."""
    names = [name for people in NAME_GROUPS for name in people.names()]
    chance.shuffle(names)
    turns = -(-count // len(names))
    numbered = [
        name if turn == 0 else f"{name} {turn + 1}" for turn in range(turns) for name in names
    ]
    return numbered[:count]
