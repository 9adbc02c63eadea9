"""Change the settings files of hosts so that they call Limpet, undo these changes, and check them.

`setup`, `uninstall` and `doctor` use these modules. A host is an agent client such as Claude Code. To wire a host means
to add Limpet's hooks and its MCP server to the host's settings.
"""
