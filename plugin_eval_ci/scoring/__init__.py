"""Facts and findings to scores: the static layer, the composite, badges, comparison of two scores."""
