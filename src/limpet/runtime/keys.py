"""Store the signing keys of a home, either in files that only their owner can read or in the system's keyring.

Keys are never in the journal. A home has one key, or several after a rotation. The newest key signs, and a signature
made with any of them is valid. The name of a key file begins with the time at which the key was made. A new key becomes
valid only after all older memories have been signed with it. Until then, the name of its file ends in `.new`. If the
process is killed in between, no memory counts as unsigned, and the next process continues with the same key.
"""

from __future__ import annotations

import contextlib
import os

from limpet import clock, system
from limpet.errors import Refused, from_os_error
from limpet.model.ids import is_body, ms_of, stamp
from limpet.model.keyring import KeyRing, key_id

_SUFFIX = ".key"
_UNFINISHED = ".new"
_SERVICE = "limpet"


class KeyFolder:
    """The key files of a home. They are read again if another process has added a key."""

    def __init__(self, home: str) -> None:
        self.folder = os.path.join(home, "keys")
        self._names: frozenset[str] | None = None
        self._ring = KeyRing()
        self._begun = ""

    def ring(self) -> KeyRing:
        """Return the valid keys, including a new key that only this process uses so far."""
        names = _list_names(self.folder)
        if names != self._names:
            counting = [name for name in names if name.endswith(_SUFFIX) or name == self._begun]
            # By the time in their names; names without a time come first.
            counting.sort(key=lambda name: (is_body(name.partition(".")[0]), name))
            found = {_id_in(name): key for name in counting if (key := self._read(name)) is not None}
            self._ring = KeyRing(keys=found, newest=next(reversed(found), ""), is_promised=bool(counting))
            self._names = names
        return self._ring

    def begin(self, *, in_keyring: bool = False) -> str:
        """Make a new key, use it for signing from now on, and return its id.

        If a killed process has left an unfinished key, use that key instead.
        """
        unfinished = sorted(name for name in _list_names(self.folder) if name.endswith(_UNFINISHED))
        usable = [name for name in unfinished if self._read(name) is not None]
        self._begun = usable[-1] if usable else self._create(in_keyring=in_keyring)
        self._names = None
        return _id_in(self._begun)

    def is_unfinished(self) -> bool:
        """Tell whether there is a key that `begin` has made and `finish` has not yet made valid."""
        return any(name.endswith(_UNFINISHED) for name in _list_names(self.folder))

    def finish(self) -> None:
        """Make the key from `begin` valid for all processes."""
        if not self._begun:
            return
        path = os.path.join(self.folder, self._begun)
        try:
            os.replace(path, path.removesuffix(_UNFINISHED) + _SUFFIX)
            system.sync_directory(self.folder)
        except OSError as error:
            raise from_os_error(error, "put the signing key into place") from error
        self._begun, self._names = "", None

    def discard(self) -> None:
        """Remove the keys of a home in which nothing has ever been stored."""
        with contextlib.suppress(OSError):
            for name in _list_names(self.folder):
                os.unlink(os.path.join(self.folder, name))
            os.rmdir(self.folder)

    def _read(self, name: str) -> bytes | None:
        """Return the key in a file, or None if it cannot be read or does not match the id in the file name."""
        path = os.path.join(self.folder, name)
        try:
            if system.is_link(self.folder) or system.is_link(path):
                return None
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read(1000).strip()
        except OSError:
            return None
        key = _from_keyring(_id_in(name)) if text == "keyring" else _from_hex(text)
        return key if key is not None and key_id(key) == _id_in(name) else None

    def _create(self, *, in_keyring: bool) -> str:
        key = os.urandom(32)
        text = key.hex()
        if in_keyring:
            _to_keyring(key_id(key), text)
            text = "keyring"
        # The time must be later than that of every other key, even if the clock is wrong, because the newest key signs.
        times = [ms_of(when) for name in _list_names(self.folder) if is_body(when := name.partition(".")[0])]
        name = f"{stamp(max((clock.now_ms(), *(ms + 1 for ms in times))))}.{key_id(key)}{_UNFINISHED}"
        try:
            system.private_directory(self.folder)
            system.write_atomically(os.path.join(self.folder, name), text.encode() + b"\n")
        except OSError as error:
            raise from_os_error(error, "write the signing key") from error
        return name


def _list_names(folder: str) -> frozenset[str]:
    with contextlib.suppress(OSError):
        return frozenset(name for name in os.listdir(folder) if name.endswith((_SUFFIX, _UNFINISHED)))
    return frozenset()


def _id_in(name: str) -> str:
    return name.removesuffix(_SUFFIX).removesuffix(_UNFINISHED).rpartition(".")[2]


def _from_hex(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return None


def _from_keyring(name: str) -> bytes | None:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return None
    try:
        return _from_hex(keyring.get_password(_SERVICE, name) or "")
    except KeyringError:
        return None


def _to_keyring(name: str, text: str) -> None:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        raise Refused("sign.keyring is on but the keyring package is missing: pip install 'limpet[keyring]'") from None
    try:
        keyring.set_password(_SERVICE, name, text)
    except KeyringError as error:
        raise Refused(f"the keyring refused the key ({error}); set sign.keyring to false to use a file") from error
