"""What reports show of trials, labels and recorded sessions."""
