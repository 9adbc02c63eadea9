"""Exchange the journals of several machines through a shared folder."""
