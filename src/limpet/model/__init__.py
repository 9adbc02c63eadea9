"""The data model: frozen records, enums, ids and pure functions. Nothing here does any I/O."""
