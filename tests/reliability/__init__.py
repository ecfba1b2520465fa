"""Which test shows which check and goal of docs/dev/reliability.md, and what was measured last."""
