"""Small things without a subject of their own: parallel work, faults of ours, a line on a terminal."""
