"""A player across events: their page, what others see of it, two records made one."""
