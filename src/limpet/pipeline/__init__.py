"""Which stage runs on which event, and the work that is done when nobody waits."""
