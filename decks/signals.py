"""What the other apps can listen to."""

from django.dispatch import Signal

cards_imported = Signal()
"""Sent when an import that changed something is committed."""
