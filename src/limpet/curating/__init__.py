"""Carry out what a person or a model decides about memories, whichever verb or screen they use."""
