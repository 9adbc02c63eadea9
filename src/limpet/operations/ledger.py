"""Which files of other programs we changed, with what stood there before: the way back, byte for byte.

An entry is written before its file is, so whenever we are stopped every change is known. `before` is the file without
us and `after` the file with us. Who finds neither has met an edit of somebody else's, and takes only our entries out.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat

from limpet import system
from limpet.errors import Refused, StoreReadOnly
from limpet.hosts import wiring
from limpet.hosts.wiring import NotWirable, SettingsFile
from limpet.lean.record import record, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

LEDGER = "wiring.json"
LOCK = "wiring.lock"
_LIMIT = 64 << 20


class Untouchable(Exception):
    """A file that we leave alone; says why, to follow its name."""


@record
class Entry:
    host: str
    path: str
    """As the host names it; a link leads elsewhere."""
    real: str
    existed: bool
    before: str
    after: str
    earlier: str = ""
    """What an earlier run left there, until this one has replaced it."""
    made: tuple[str, ...] = ()
    """Folders that were not there before, the outermost first."""
    syntax: str = "json"
    project: str = ""

    @property
    def file(self) -> SettingsFile:
        return SettingsFile(host=self.host, path=self.path, syntax=self.syntax, project=bool(self.project))


@record
class Step:
    """One change of one file: made, or to be made; `problem` says why it cannot be."""

    host: str
    path: str
    action: str
    """`write`, `create`, `restore`, `clean`, `delete`, `keep`, or `leave` if there is a problem."""
    lines: tuple[str, ...] = ()
    problem: str = ""
    act: Callable[[], None] | None = None


class Ledger:
    def __init__(self, home: str) -> None:
        self.home = home
        self.path = os.path.join(home, LEDGER)
        self.entries: dict[str, Entry] = {}
        try:
            with open(self.path, encoding="utf-8") as file:
                rows = json.load(file)["files"]
            for row in rows:
                self.entries[row["path"]] = Entry(**{**row, "made": tuple(row["made"])})
        except FileNotFoundError:
            pass
        except NotADirectoryError:
            raise Refused(f"{home} is not a folder; set LIMPET_HOME to one") from None
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise Refused(
                f"{self.path} cannot be read ({error}); move it away, then `limpet uninstall` takes single entries out"
            ) from None

    def put(self, entry: Entry) -> None:
        self.entries[entry.path] = entry
        self._save()

    def drop(self, path: str) -> None:
        self.entries.pop(path, None)
        self._save()

    def _save(self) -> None:
        if not self.entries:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.path)
            return
        rows = [_row(entry) for entry in self.entries.values()]
        write_own(self.path, {"version": 1, "files": rows})

    @contextlib.contextmanager
    def alone(self) -> Any:
        """Only one at a time changes settings."""
        make_home(self.home)
        path = os.path.join(self.home, LOCK)
        held = system.try_lock(path)
        if held is None:
            raise Refused("another setup is running; wait for it to end")
        try:
            yield
        finally:
            # Windows deletes no file that is open; elsewhere, once it is free, it may be the next one's.
            if system.WINDOWS:
                system.unlock(held)
            with contextlib.suppress(OSError):
                os.unlink(path)
            if not system.WINDOWS:
                system.unlock(held)


def _row(entry: Entry) -> dict[str, Any]:
    from limpet.lean.record import fields

    return {each.name: getattr(entry, each.name) for each in fields(entry)}


def write_own(path: str, value: Any) -> None:
    """A file of our own in the home, which only its owner may read."""
    make_home(os.path.dirname(path))
    try:
        system.write_atomically(path, json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n")
    except OSError as error:
        raise StoreReadOnly(f"{path} cannot be written ({error.strerror}); nothing more was changed") from None


def make_home(home: str) -> None:
    try:
        system.private_directory(home)
    except NotADirectoryError:
        raise Refused(f"{home} is not a folder; set LIMPET_HOME to one") from None
    except OSError as error:
        raise StoreReadOnly(
            f"{home} cannot be written ({error.strerror}); set LIMPET_HOME to a folder of yours"
        ) from None


# Files of others


def resolve(path: str) -> str:
    """Where a file really is: many keep their settings elsewhere, behind a link. Whose it is, `read` looks at."""
    real = os.path.realpath(path)
    if os.path.islink(path) and not os.path.exists(real):
        raise Untouchable("is a link to nothing")
    return real


def read(path: str) -> str | None:
    """The text of a settings file; None if there is none."""
    real = resolve(path)
    try:
        info = os.stat(real)
    except FileNotFoundError:
        _check_folder(os.path.dirname(real))
        return None
    except OSError as error:
        raise Untouchable(f"cannot be read ({error.strerror})") from None
    if not stat.S_ISREG(info.st_mode):
        raise Untouchable("is not a regular file")
    if hasattr(os, "getuid") and info.st_uid != os.getuid():
        raise Untouchable("belongs to another user")
    if not info.st_mode & stat.S_IWUSR:
        raise Untouchable("is write-protected")
    if info.st_size > _LIMIT:
        raise Untouchable(f"is larger than {_LIMIT >> 20} MB")
    try:
        with open(real, encoding="utf-8", newline="") as file:
            return file.read()
    except UnicodeDecodeError:
        raise Untouchable("is not UTF-8") from None
    except OSError as error:
        raise Untouchable(f"cannot be read ({error.strerror})") from None


def _check_folder(folder: str) -> None:
    while not os.path.lexists(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder):
        raise Untouchable(f"cannot be made, as {folder} is not a folder")
    if not os.access(folder, os.W_OK):
        raise Untouchable(f"cannot be made, as {folder} cannot be written")


def missing_folders(real: str) -> tuple[str, ...]:
    missing: list[str] = []
    folder = os.path.dirname(real)
    while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
        missing.insert(0, folder)
        folder = os.path.dirname(folder)
    return tuple(missing)


def write(real: str, text: str, *, shared: bool = False) -> None:
    """Put a text in the place of a file at once, with the rights the file had."""
    try:
        mode = stat.S_IMODE(os.stat(real).st_mode)
    except FileNotFoundError:
        mode = 0o644 if shared else 0o600
    try:
        for folder in missing_folders(real):
            os.mkdir(folder, 0o755 if shared else 0o700)
        system.write_atomically(real, text.encode("utf-8"))
        os.chmod(real, mode)
    except OSError as error:
        raise Untouchable(f"cannot be written ({error.strerror})") from None


# There and back


def wire(ledger: Ledger, file: SettingsFile, *, project: str = "") -> Step:
    """What it takes to have our entries in a file."""
    known = ledger.entries.get(file.path)
    try:
        current = read(file.path)
        text = current or ""
        if known and current is not None and text in (known.after, known.earlier):
            before, after = known.before, wiring.add(known.before, file)
        else:
            before, after = wiring.remove(text, file, keep=known.before if known else ""), wiring.add(text, file)
        real = resolve(file.path)
    except (Untouchable, NotWirable) as error:
        return _left(file.host, file.path, error)
    if after == text and current is not None:
        if known is None:
            # Somebody wired it by hand, or the ledger was lost: from now on the way back is known.
            made = Entry(
                host=file.host, path=file.path, real=real, existed=True, before=before, after=after,
                syntax=file.syntax, project=project,
            )  # fmt: skip
            return Step(host=file.host, path=file.path, action="keep", act=lambda: ledger.put(made))
        return Step(host=file.host, path=file.path, action="keep")
    entry = Entry(
        host=file.host,
        path=file.path,
        real=real,
        existed=known.existed if known and current is not None else current is not None,
        before=before,
        after=after,
        earlier=text if known else "",
        made=known.made if known and current is not None else missing_folders(real),
        syntax=file.syntax,
        project=project,
    )

    def act() -> None:
        ledger.put(entry)
        if read(file.path) != current:
            raise Untouchable("was changed by somebody else at the same moment; run this again")
        write(real, after, shared=file.project)
        if entry.earlier:
            ledger.put(replace(entry, earlier=""))

    action = "write" if current is not None else "create"
    return Step(host=file.host, path=file.path, action=action, lines=file.told, act=act)


def unwind(ledger: Ledger, entry: Entry) -> Step:
    """What it takes to have a file as if we had never been there."""
    try:
        current = read(entry.path)
        text = current or ""
        if current is None or text == entry.before:
            action, wanted = "keep", text
        elif text in (entry.after, entry.earlier):
            action, wanted = "restore", entry.before
        else:
            action, wanted = "clean", wiring.remove(text, entry.file, keep=entry.before)
        empty = not entry.existed and current is not None and not wiring.read(wanted, entry.syntax)
    except (Untouchable, NotWirable) as error:
        return _left(entry.host, entry.path, error)

    def act() -> None:
        if empty:
            _delete(entry)
        elif current is not None and wanted != text:
            write(resolve(entry.path), wanted)
        ledger.drop(entry.path)

    if action == "clean" and wanted == text:
        action = "keep"
    return Step(host=entry.host, path=entry.path, action="delete" if empty else action, act=act)


def _delete(entry: Entry) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(resolve(entry.path))
    for folder in reversed(entry.made):
        # Somebody else may have put something there since; then it stays.
        with contextlib.suppress(OSError):
            os.rmdir(folder)


def _left(host: str, path: str, error: Exception) -> Step:
    return Step(host=host, path=path, action="leave", problem=f"{path} {_sentence(error)}; it was left as it is")


def _sentence(error: Exception) -> str:
    return str(error) if isinstance(error, Untouchable) else f"is not wired: {error}"


def done(step: Step) -> Step:
    """Make a change; if it cannot be made, that is said and the others go on."""
    if step.act is None:
        return step
    try:
        step.act()
    except Untouchable as error:
        return _left(step.host, step.path, error)
    return replace(step, act=None)
