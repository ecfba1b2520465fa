"""Impact of changed results, unanswered reports and faction drafts."""
