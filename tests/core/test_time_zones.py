from zoneinfo import available_timezones

from core.time_zones import known_zones


def test_the_zones_are_looked_for_once():
    assert known_zones() == available_timezones()
    assert known_zones() is known_zones()
