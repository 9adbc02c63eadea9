"""How the journals of several machines travel: through a folder, and later through a server."""
