"""Connections to other programs: webhooks, tokens, chat, mail and push."""
