"""Learn from what is over: recorded sessions and the history of the repository."""
