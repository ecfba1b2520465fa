"""Forget a person: what they did stays, who they were does not."""

from tournaments.privacy.erasing.people import Person, person_of
from tournaments.privacy.erasing.steps import erase, lock, lock_events
