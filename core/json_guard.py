"""JSON from untrusted sources, parsed with limits and clear error messages."""

import json
import math
import re
from typing import Any, NoReturn, TypeAlias

from core.errors import Refusal

# None, bool, int, float, str, or lists and dicts of these.
Json: TypeAlias = Any

MAX_DEPTH = 20
MAX_VALUES = 200_000
MAX_DIGITS = 18
SURROGATE = re.compile("[\ud800-\udfff]")


class NotJson(Refusal):
    pass


class NestedTooDeeply(NotJson):
    pass


def parse(data: str | bytes, *, max_depth: int = MAX_DEPTH, max_values: int = MAX_VALUES) -> Json:
    """Parse text, or UTF-8 bytes with or without a BOM.

    Raises NestedTooDeeply, and NotJson for invalid JSON, a duplicate key, NaN, a number of more
    than 18 digits, half a surrogate pair or more than `max_values` values.
    """
    try:
        value = json.loads(
            data.decode("utf-8-sig") if isinstance(data, bytes) else data.removeprefix("\ufeff"),
            object_pairs_hook=_unique_keys,
            parse_constant=_refuse_constant,
            parse_int=_integer,
            parse_float=_finite_number,
        )
    except UnicodeDecodeError as error:
        raise NotJson(f"This is not UTF-8: byte {error.start + 1} cannot be read.") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise NotJson(f"This is not JSON: {error.msg} in {where}.") from error
    except RecursionError as error:
        raise _too_deep_refusal(max_depth) from error
    _check_limits(value, max_depth, max_values)
    return value


def _unique_keys(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    made: dict[str, Json] = {}
    for key, value in pairs:
        if key in made:
            raise NotJson(f"The key {key[:40]!r} appears twice in one object.")
        made[key] = value
    return made


def _refuse_constant(word: str) -> NoReturn:
    raise NotJson(f"{word} is not a number.")


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise NotJson(f"A number has more than {MAX_DIGITS} digits.")
    return int(digits)


def _finite_number(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise NotJson(f"{digits[:40]} is too large a number.")
    return number


def _too_deep_refusal(max_depth: int) -> NestedTooDeeply:
    return NestedTooDeeply(f"Lists and objects are nested deeper than {max_depth}.")


def _check_limits(value: Json, max_depth: int, max_values: int) -> None:
    # Level by level, so that deep nesting causes no deep recursion.
    level, seen = [value], 0
    for _ in range(max_depth + 1):
        seen += len(level)
        if seen > max_values:
            raise NotJson(f"There are more than {max_values:,} values.")
        inner: list[Json] = []
        for item in level:
            if isinstance(item, dict):
                inner += [*item, *item.values()]
            elif isinstance(item, list):
                inner += item
            elif isinstance(item, str) and SURROGATE.search(item):
                # Half of a surrogate pair cannot be stored or sent as UTF-8.
                raise NotJson("A string has half of a surrogate pair, which is not a character.")
        if not inner:
            return
        level = inner
    raise _too_deep_refusal(max_depth)
