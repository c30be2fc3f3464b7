"""The other door: a step of GitHub Actions. ``start`` needs Python alone; the rest comes after the packages are there."""
