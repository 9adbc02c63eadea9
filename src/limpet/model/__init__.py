"""The data model: frozen records, enums, ids and pure functions. No module here does any I/O."""
