"""Signing keys: files that only their owner can read, or the system's keyring; never in the journal or the index.

The name of a key file says whose key it is, so that an agent that signs is known to sign even if somebody takes the
note of it out of the store.
"""

from __future__ import annotations

import contextlib
import os

from limpet import system
from limpet.errors import Refused, from_os_error
from limpet.model.signature import key_id

_SUFFIX = ".key"
_SERVICE = "limpet"


def load(home: str) -> dict[str, tuple[str, bytes]]:
    """Every key that is here: its id, whose it is, and its bytes."""
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
    """Whoever has a key file signs, whether or not the key in it can still be read."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError):
        names = (name for name in os.listdir(os.path.join(home, "keys")) if name.endswith(_SUFFIX))
        return frozenset(name.removesuffix(_SUFFIX).rpartition(".")[0] for name in names)
    return frozenset()


def create(home: str, agent: str, *, in_keyring: bool = False) -> str:
    """Make a key for the agent and return its id."""
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
