"""The static layer: one file for each group of sub-scores (methodology, section 3)."""
