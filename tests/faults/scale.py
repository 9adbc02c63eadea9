"""How often each fault is tried: quickly by default, by the thousand with LIMPET_TEST_FAULTS=full.

LIMPET_TEST_KILLS sets how often a server is killed, and LIMPET_TEST_SEED when, so that a long run can be divided.
"""

import os

FULL = os.environ.get("LIMPET_TEST_FAULTS") == "full"


def _number(quick: int, full: int) -> int:
    return full if FULL else quick


KILLS_OF_COMMANDS = _number(16, 500)
KILLS_OF_WRITERS = _number(44, 1500)
KILLS_PER_HOME = _number(11, 50)
KILLS_OF_GROUPS = _number(15, 500)
GROUPS_PER_HOME = _number(5, 25)
WRITERS_IN_A_GROUP = 4

CONCURRENT_WRITERS = 8
WRITES_EACH = _number(60, 500)

STOPS = _number(6, 100)
TIMES_FULL = _number(3, 100)
TEARS = _number(12, 400)
DAMAGED_MEMORIES = _number(30, 300)

RANDOM_CHANGES = _number(120, 1000)
KILLS_WHILE_CHANGING = _number(4, 40)
PROBES = _number(50, 200)

KILLS_OF_UPKEEP = _number(15, 1000)
KILLS_OF_SETTLING = _number(14, 300)

EDITS_OF_FILES = _number(40, 1000)
KILLS_OF_SERVERS = int(os.environ.get("LIMPET_TEST_KILLS") or _number(6, 500))
SEED = int(os.environ.get("LIMPET_TEST_SEED") or 7)
SESSIONS_WITH_A_SERVER = _number(40, 200)
FUZZED_REQUESTS = _number(400, 5000)

BACKUPS_WHILE_WRITING = _number(4, 12)

NOT_HANGING_S = 30
"""A timeout that only prevents a hang and does not measure speed."""
