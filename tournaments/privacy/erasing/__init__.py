"""Erase a person's identity; their results remain under a neutral label."""

from tournaments.privacy.erasing.steps import Person, erase, lock, lock_events, person_of
