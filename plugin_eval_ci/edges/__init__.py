"""The world: git, and later GitHub and a model vendor. Nothing else talks to it."""
