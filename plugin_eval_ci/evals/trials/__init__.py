"""Depth ``measured``: does a skill fire when it should, does it help, and how sure are we (trials over the plain Messages API)."""
