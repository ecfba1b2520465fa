"""Services for announcements, tokens, uploads and webhooks."""
