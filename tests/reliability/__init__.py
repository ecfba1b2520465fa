"""Which test shows which check and goal of docs/reliability.md, and what was measured last."""
