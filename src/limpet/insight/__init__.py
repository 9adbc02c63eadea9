"""Learn from recorded sessions, and from the history of the repository."""
