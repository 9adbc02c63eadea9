"""Sign memories and exported lines with the keys of a home, and check existing signatures."""

from __future__ import annotations

from collections.abc import Callable

from limpet.lean.digest import sha256
from limpet.lean.record import replace
from limpet.model.keyring import KeyRing, compute_code
from limpet.model.memory import Memory
from limpet.model.query import Stored
from limpet.model.signature import Verdict, check_signature, is_signed_line, sign, sign_line
from limpet.runtime.keys import KeyFolder
from limpet.store.protocol import Reading


class Signer:
    """A signer that uses the keys of a home.

    `recent` returns the state of the store, which contains whether this home has ever signed.
    """

    def __init__(self, keys: KeyFolder, *, recent: Callable[[], Reading]) -> None:
        self._keys = keys
        self._recent = recent
        self._known_ring: KeyRing | None = None
        self._signing: tuple[KeyRing, bool] | None = None
        self._are_keys_fresh = False

    def look_again(self) -> None:
        """Check on next use whether other processes have added keys."""
        self._are_keys_fresh = False

    def forget_keys(self) -> None:
        """Read the keys again on next use. Call this after this process has made a key."""
        self._known_ring = self._signing = None

    @property
    def _ring(self) -> KeyRing:
        """Return the keys of this home. After `look_again` or `forget_keys` they are read again."""
        if self._known_ring is None or not self._are_keys_fresh:
            self._known_ring = self._keys.ring()
            self._are_keys_fresh = True
        return self._known_ring

    def is_signing(self) -> bool:
        """Tell whether this home signs its memories, even if its key can no longer be read."""
        ring = self._ring
        if self._signing is None or self._signing[0] is not ring:
            is_noted = any(agent.key_id for agent in self._recent().agents())
            self._signing = ring, ring.is_promised or is_noted
        return self._signing[1]

    def sign(self, memory: Memory) -> str | None:
        """Sign a memory with the newest key and return the signature, or None if there is no key."""
        ring = self._keys.ring()
        return sign(memory, ring.keys[ring.newest]) if ring.newest else None

    def judge(self, stored: Stored) -> Stored:
        """Check the signature of a memory, and return the memory with the verdict.

        Every memory must be checked before it is shown.
        """
        verdict = check_signature(stored.memory, self._ring.keys, signing=self.is_signing())
        if stored.accepted and verdict in (Verdict.MISSING, Verdict.FOREIGN):
            verdict = Verdict.ACCEPTED
        return stored if verdict is stored.verdict else replace(stored, verdict=verdict)

    def sign_again(self, stored: Stored, memory: Memory) -> dict[str, object]:
        """Return a new signature for a memory whose active text changes, as an entry for the payload of the change.

        Return an empty dict if the old signature is not valid, because a new one would hide that the memory was
        tampered with.
        """
        if self.judge(stored).verdict is not Verdict.GOOD:
            return {}
        signature = self.sign(memory)
        return {"signature": signature} if signature else {}

    def sign_line(self, text: str) -> str | None:
        """Sign a line of an export with the newest key and return the signature, or None if there is no key."""
        ring = self._keys.ring()
        return sign_line(text, ring.keys[ring.newest]) if ring.newest else None

    def codes(self, purpose: str, text: str) -> list[str]:
        """Return authentication codes of a text: one for each key of this home, oldest first, then one without a key.

        With all of them, a home still recognises a code that it computed before it made its newest key.
        """
        ring, data = self._ring, text.encode("utf-8", "surrogatepass")
        keyed = [compute_code(key, purpose, name, (data,)) for name, key in ring.keys.items()]
        return [*keyed, sha256(purpose.encode() + b"\0" + data).hexdigest()]

    def is_signed_line(self, text: str, given: object) -> bool:
        """Tell whether `given` is a valid signature of an export line, made with a key of this home."""
        return is_signed_line(text, given, self._ring.keys)
