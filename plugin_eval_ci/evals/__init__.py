"""Everything that asks a model: requests, layers, trials. ``lint`` and ``score --depth quick`` load none of it."""
