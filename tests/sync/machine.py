"""One machine as a process: it takes random steps on its store, syncs, and tells its state, as standard input says.

Usage: machine.py HOME SHARED SEED SKEW_MS. Each line is a word and a number; each is answered with one line of JSON.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import sys
from pathlib import Path
from typing import Any

from limpet.settings import StoreSettings
from limpet.store.journal.sealed import is_sealed
from tests.model import making
from tests.store.acting import Actor, Clock
from tests.sync.peers import Peer

_SEGMENT_BYTES = 8_192
"""Small enough that segments are closed, and then sealed, in a short run too."""
_BACKUP_EVERY = 3
_APART = 1_000_000
"""How many memories a process may make before their numbers reach those of the next one."""


def main(home: str, shared: str, seed: str, skew: str) -> None:
    # The numbers of memories are counted in each process; those of several must not meet.
    making._numbers = itertools.count(int(seed) * _APART)
    settings = StoreSettings(segment_bytes=_SEGMENT_BYTES)
    peer = Peer(Path(home), Path(shared), clock=Clock(Clock().ms + int(skew)), settings=settings)
    actor = Actor(peer.store, peer.clock, random.Random(int(seed)), glances=10)
    for line in sys.stdin:
        word, _, number = line.partition(" ")
        print(json.dumps(_answer(peer, actor, word, int(number))), flush=True)


def _answer(peer: Peer, actor: Actor, word: str, number: int) -> dict[str, Any]:
    match word:
        case "act":
            actor.act(number)
            if number % _BACKUP_EVERY == 0:
                peer.store.backup()
            return {"acted": number}
        case "sync":
            done = peer.sync()
            return {"taken": sum(done.taken.values()), "sent": done.sent}
        case _:
            found = {
                name: hashlib.sha256(repr(rows).encode()).hexdigest() for name, rows in sorted(peer.tables().items())
            }
            problems = [problem.what for problem in peer.store.verify().problems]
            sealed = [is_sealed(str(path)) for path in (peer.home / "journal").glob("*/*.jsonl")]
            return {"tables": found, "problems": problems, "notices": peer.store.notices, "sealed": sum(sealed)}


if __name__ == "__main__":
    main(*sys.argv[1:])
