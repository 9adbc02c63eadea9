"""The roles that a language model may take; the default needs no model, no network and costs nothing."""
