"""Trials of lift: does a skill help? The same tasks, with the skill and without it."""
