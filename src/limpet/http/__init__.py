"""Serve the commands, the hooks and the MCP tools over HTTP, to programs that have the token of the server."""
