"""Programs elsewhere: webhooks, tokens, chat, mail and push."""
