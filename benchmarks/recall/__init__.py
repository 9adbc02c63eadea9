"""How well memories are found: the product's own public API, on public and on our own questions."""
