"""Signing keys: files that only their owner can read, or the system's keyring; never in the journal or the view.

The name of a key file says which agent it belongs to. So an agent that signs is known to sign, even if somebody removes
the note of it from the store.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping

from limpet import system
from limpet.errors import Refused, from_os_error
from limpet.lean.record import record
from limpet.model.signature import key_id
from limpet.store.protocol import Reading

_SUFFIX = ".key"
_SERVICE = "limpet"


@record
class Keys:
    """The keys of this machine, and which agents sign."""

    files: frozenset[str]
    """The names in the key folder when it was read."""
    found: Mapping[str, tuple[str, bytes]]
    """Agent and bytes of each key, by its id."""
    holders: frozenset[str]
    noted: Mapping[str, str]
    """The newest key id of each agent, as far as the store has noted it."""

    def of(self, agent: str) -> dict[str, bytes]:
        """Return the keys of an agent by their ids."""
        return {name: key for name, (owner, key) in self.found.items() if owner == agent}

    def newest(self, agent: str) -> bytes | None:
        """Return the key that an agent signs with."""
        own = self.of(agent)
        return own.get(self.noted.get(agent, ""), next(iter(own.values()), None))

    def signs(self, agent: str) -> bool:
        """Tell whether an agent signs, even if its key is not on this machine."""
        return agent in self.holders or agent in self.noted


def refresh_keys(known: Keys | None, home: str, read: Callable[[], Reading]) -> Keys:
    """Return the keys of a home: those that are known, unless the names in the key folder have changed."""
    try:
        files = frozenset(os.listdir(os.path.join(home, "keys")))
    except OSError:
        files = frozenset()
    if known is not None and known.files == files:
        return known
    noted = {agent.id: agent.key_id for agent in read().agents() if agent.key_id}
    return Keys(files=files, found=load(home), holders=agents_that_sign(home), noted=noted)


def load(home: str) -> dict[str, tuple[str, bytes]]:
    """Return every key of a home by its id: whose it is, and its bytes."""
    found: dict[str, tuple[str, bytes]] = {}
    folder = os.path.join(home, "keys")
    with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError):
        for entry in sorted(os.scandir(folder), key=lambda each: each.name):
            agent, _, name = entry.name.removesuffix(_SUFFIX).rpartition(".")
            if not entry.name.endswith(_SUFFIX) or not entry.is_file(follow_symlinks=False):
                continue
            with open(entry.path, encoding="ascii", errors="replace") as file:
                text = file.read().strip()
            key = _from_keyring(name) if text == "keyring" else _from_hex(text)
            if key is not None and key_id(key) == name:
                found[name] = (agent, key)
    return found


def agents_that_sign(home: str) -> frozenset[str]:
    """Return the agents that have a key file, whether or not the key in it can still be read."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError):
        names = (name for name in os.listdir(os.path.join(home, "keys")) if name.endswith(_SUFFIX))
        return frozenset(name.removesuffix(_SUFFIX).rpartition(".")[0] for name in names)
    return frozenset()


def create(home: str, agent: str, *, in_keyring: bool = False) -> str:
    """Make a key for an agent and return its id."""
    key = os.urandom(32)
    name = key_id(key)
    text = key.hex()
    if in_keyring:
        _to_keyring(name, text)
        text = "keyring"
    folder = os.path.join(home, "keys")
    try:
        system.private_directory(folder)
        system.write_atomically(os.path.join(folder, f"{agent}.{name}{_SUFFIX}"), text.encode() + b"\n")
    except OSError as error:
        raise from_os_error(error, "write the signing key") from error
    return name


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
