"""Views of announcements, tokens, webhooks and uploads."""
