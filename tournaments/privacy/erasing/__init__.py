"""Forget a person: what they did stays, who they were does not."""

from tournaments.privacy.erasing.steps import Person, erase, lock, lock_events, person_of
