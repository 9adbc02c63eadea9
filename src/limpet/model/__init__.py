"""What things are: frozen records, enums, ids and pure rules. Nothing here reads or writes anything."""
