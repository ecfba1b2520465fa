"""Staff pages for rounds and drafts."""
