"""The server: the verbs, the hooks and the tools over HTTP, for programs that have its token."""
