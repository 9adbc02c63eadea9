"""Upkeep reports what each job did, and a dry run only says so."""

from __future__ import annotations

import pytest

from limpet.errors import UsageError
from tests.operations.sandbox import DAY, Sandbox


def test_what_expired_is_archived_and_counted(sandbox: Sandbox) -> None:
    for number in range(12):
        sandbox.remember(f"Thing number {number} of {number} has its own place", ttl_days=1 if number == 3 else None)
    sandbox.ms += 2 * DAY
    dry = sandbox.json("upkeep", dry_run=True)
    assert (dry["dry_run"], dry["total"]) == (True, 1)
    done = sandbox.json("upkeep")
    assert (done["done"], done["finished"], done["busy"]) == (dry["done"], True, False)
    assert sandbox.json("upkeep")["total"] == 0


def test_agreeing_to_what_is_no_job_is_refused(sandbox: Sandbox) -> None:
    with pytest.raises(UsageError, match="does not name a job and a scope"):
        sandbox.ask("upkeep", agree=["tidying@prj_1"])
