"""What a skill or a plugin asks of the machine it runs on, read from its files and never run."""

from plugin_eval_ci.host.needs import HostNeeds, host_needs, manifest_needs, merged, needs_change

__all__ = ["HostNeeds", "host_needs", "manifest_needs", "merged", "needs_change"]
