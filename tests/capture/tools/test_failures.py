"""Whether a command failed."""

from __future__ import annotations

from limpet.capture.tools.failures import has_failed, has_passed
from limpet.capture.tools.shell import parse_command


def test_a_pipe_does_not_hide_a_failing_test() -> None:
    run = parse_command("pytest | tail -5")
    assert has_failed(run, "1 failed, 3 passed in 0.2s", failed=False)
    assert not has_failed(run, "3 passed, 0 failed, 0 errors", failed=False)


def test_a_search_that_finds_nothing_has_not_failed() -> None:
    assert not has_failed(parse_command("grep x y"), "", failed=True)
    assert has_failed(parse_command("make"), "", failed=True)


def test_only_what_can_fail_can_pass() -> None:
    assert has_passed(parse_command("make"), "ok", failed=False)
    assert not has_passed(parse_command("ls"), "ok", failed=False)
    assert not has_passed(parse_command("make"), "ok", failed=True)


def test_a_test_run_that_counts_no_failure_has_passed_whatever_it_printed() -> None:
    run = parse_command("bun test src/ 2>&1")
    printed = "error: Item 3 failed\n      at <anonymous> (a.test.ts:314:25)\n"
    assert has_passed(run, f"{printed}\n 1216 pass\n 0 fail\nRan 1216 tests across 56 files.", failed=False)
    assert has_failed(run, f"{printed}\n 1215 pass\n 1 fail\nRan 1216 tests across 56 files.", failed=False)
    assert has_failed(run, printed, failed=False)
    assert has_failed(parse_command("mvn test"), "[ERROR] x\nTests run: 5, Failures: 1, Errors: 0", failed=False)
