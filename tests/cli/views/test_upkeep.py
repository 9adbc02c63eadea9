"""What a person sees of upkeep."""

from __future__ import annotations

from limpet import system
from limpet.upkeep.consent import Stop, save_stops
from tests.cli.shell import Shell, plain
from tests.operations.sandbox import give_code


def test_with_nothing_to_do_it_says_so(shell: Shell) -> None:
    shell.remember("The port is 9090")
    done = shell.say("upkeep")
    assert (done.code, done.out + done.err) == (0, "limpet: nothing to do\n")
    assert shell.ask("upkeep") == {
        "done": {},
        "total": 0,
        "notices": [],
        "finished": True,
        "busy": False,
        "dry_run": False,
    }


def test_it_tells_what_each_job_did(shell: Shell) -> None:
    for number in range(12):
        shell.remember(f"Thing number {number} of {number} has its own place", "--ttl-days", "0.000000001")
    told = shell.say("upkeep", "--dry-run")
    assert told.out == "    12  expired, now in the archive\n"
    assert "nothing was changed" in told.err
    done = shell.say("upkeep")
    assert (done.code, done.out) == (0, "    12  expired, now in the archive\n")


def test_a_question_is_shown_with_what_to_say(shell: Shell) -> None:
    for number in range(12):
        shell.remember(f"Thing number {number} of {number} has its own place", "--impact", "LOW")
    shell.ask("config", "upkeep.summarize_days", "0")
    asked = shell.say("upkeep", "--summarize-old")
    assert asked.code == 0
    assert "would hide 12 of 12 memories" in asked.out and "limpet upkeep --summarize-old --agree" in asked.out
    name = asked.out.rpartition("--agree ")[2].strip()
    agreed = ("--agree", name, "--code", give_code(shell.home, "upkeep"))
    assert shell.ask("upkeep", "--summarize-old", *agreed)["done"] == {"summarizing": 12}


def test_while_another_is_at_work_it_leaves(shell: Shell) -> None:
    shell.remember("The port is 9090")
    lock = system.try_lock(str(shell.home / "locks" / "upkeep"))
    assert lock is not None
    done = shell.say("upkeep")
    assert "another upkeep is running" in done.out + done.err
    assert shell.ask("upkeep")["busy"]
    system.unlock(lock)


def test_what_waits_for_consent_is_told_at_the_next_command_on_a_terminal(shell: Shell) -> None:
    shell.remember("The port is 9090")
    save_stops(str(shell.home), [Stop(job="decay", scope="anima", retires=40, active=100)], jobs=())
    told = "upkeep would hide 40 of 100 memories of the agent anima because they have faded"
    assert told in shell.on_a_terminal("list").out
    assert "limpet upkeep --agree decay@anima" in plain(shell.on_a_terminal("list").out)
    assert told not in shell.say("list").err
