"""Record the changes to other programs' settings files in a ledger, so that each can be undone byte for byte.

An entry is saved before its file is written, so that the change is known even after a crash. `before` is the text of
the file without Limpet's hooks and server, and `after` the text with them. If the file has neither text, it was edited
since: then only Limpet's hooks and server are removed from it.
"""

from __future__ import annotations

import contextlib
import json
import os

from limpet import system
from limpet.errors import Refused, StoreReadOnly, from_os_error
from limpet.hosts.wiring import SettingsFile
from limpet.lean.record import fields, pick, record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

LEDGER = "wiring.json"
LOCK = "wiring.lock"


@record
class ChangedFile:
    """A settings file that was changed, with its text before and after the change."""

    host: str
    path: str
    """The path that the host uses, which may be a symlink."""
    existed: bool
    """Whether the file existed before the change."""
    before: str
    after: str
    earlier: str = ""
    """The text that an earlier run has written, or an empty string once the file has the text `after`."""
    made: tuple[str, ...] = ()
    """The folders that were created for the file, outermost first."""
    syntax: str = "json"
    project: str = ""
    """The root folder of the project, if the file belongs to one project only."""

    @property
    def file(self) -> SettingsFile:
        """Return a description of the file in the form that `hosts.wiring` takes, without entries to add."""
        return SettingsFile(host=self.host, path=self.path, syntax=self.syntax, project=bool(self.project))


class WiringLedger:
    """The entries of all changed settings files. They are saved in Limpet's home after every change."""

    def __init__(self, home: str) -> None:
        self.home = home
        self.path = os.path.join(home, LEDGER)
        self.entries: dict[str, ChangedFile] = {}
        try:
            with open(self.path, encoding="utf-8") as file:
                rows = json.load(file)["files"]
            for row in rows:
                # Other versions of Limpet may write more fields, which are not needed to restore a file.
                known = {each.name: row[each.name] for each in fields(ChangedFile) if each.name in row}
                self.entries[row["path"]] = ChangedFile(**{**known, "made": tuple(row["made"])})
        except FileNotFoundError:
            pass
        except NotADirectoryError:
            raise Refused(f"{home} is not a folder; set LIMPET_HOME to one") from None
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise Refused(
                f"{self.path} cannot be read ({error}); move it away, then `limpet uninstall` removes single entries"
            ) from None

    def put(self, entry: ChangedFile) -> None:
        """Add or replace the entry of a file, and save the ledger."""
        self.entries[entry.path] = entry
        self._save()

    def drop(self, path: str) -> None:
        """Remove the entry of a file, and save the ledger."""
        self.entries.pop(path, None)
        self._save()

    def _save(self) -> None:
        if not self.entries:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.path)
            return
        rows = [pick(entry) for entry in self.entries.values()]
        write_private(self.path, {"version": 1, "files": rows})

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the lock for changing settings files; raise Refused if another process holds it."""
        make_home(self.home)
        path = os.path.join(self.home, LOCK)
        try:
            held = system.try_lock(path)
        except OSError as error:
            raise from_os_error(error, "change the agents' settings") from None
        if held is None:
            raise Refused("another setup is running; wait for it to end")
        try:
            yield
        finally:
            # Windows cannot delete a file that is open. On other systems the file is deleted before it is unlocked,
            # because another process may use it afterwards.
            if system.WINDOWS:
                system.unlock(held)
            with contextlib.suppress(OSError):
                os.unlink(path)
            if not system.WINDOWS:
                system.unlock(held)


def write_private(path: str, value: Any) -> None:
    """Write a value as JSON to a file in the home that only its owner can read."""
    make_home(os.path.dirname(path))
    # A byte of a path that is not UTF-8 is written as an escape of JSON.
    data = json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace") + b"\n"
    try:
        system.write_atomically(path, data)
    except OSError as error:
        raise StoreReadOnly(f"{path} cannot be written ({error.strerror}); nothing more was changed") from None


def make_home(home: str) -> None:
    """Create the home folder if it is missing; raise Refused or StoreReadOnly if that is not possible."""
    try:
        system.private_directory(home)
    except NotADirectoryError:
        raise Refused(f"{home} is not a folder; set LIMPET_HOME to one") from None
    except OSError as error:
        raise StoreReadOnly(
            f"{home} cannot be written ({error.strerror}); set LIMPET_HOME to a folder of yours"
        ) from None
