"""The roles that a language model may take; the default needs neither a model nor a network, and costs nothing."""
