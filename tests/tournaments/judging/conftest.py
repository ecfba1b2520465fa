"""Browsers of judges, and the player on seat 1 of table 1."""

import pytest
from django.test import Client

from tests.factories.sessions import logged_in
from tests.factories.tournaments import add_staff, sitting
from tournaments.models import Pairing, Registration, Tournament


@pytest.fixture
def judge(event: Tournament) -> Client:
    return logged_in(add_staff(event, "judge", "Jinteki"))


@pytest.fixture
def head_judge(event: Tournament) -> Client:
    return logged_in(add_staff(event, "head_judge", "Haas"))


@pytest.fixture
def place(pairing: Pairing) -> Registration:
    return sitting(pairing)[0]
