"""The server: the verbs, the hooks and the tools over HTTP, for this machine only."""
