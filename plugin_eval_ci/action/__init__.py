"""The GitHub Action. ``main`` needs only Python; the other modules load after the packages are installed."""
