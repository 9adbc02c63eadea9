"""Tests of whether a text says the opposite of its source, or gives it another number."""

from __future__ import annotations

from itertools import count

import pytest

from limpet.text.alteration import NEGATED, RENUMBERED, find_alteration
from tests.growth import assert_growth
from tests.text.alteration_pairs import KEPT_BACK, PAIRS


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("never deploy with ./ship.sh", "deploy with ./ship.sh"),
        ("Deploy with ./ship.sh.", "Please never deploy with ./ship.sh!"),
        ("The user never wants deploys with ./ship.sh.", "Deploy with ./ship.sh, always."),
        ("Use npm, not pnpm.", "Use pnpm, not npm."),
        ("Use npm instead of pnpm.", "Use pnpm instead of npm."),
        ("Deploy without running the tests.", "Never deploy without running the tests."),
        ("Skip the tests before a release.", "Run the tests before a release."),
        ("Restart the database first.", "Never do this: restart the database first."),
        ("Don’t log the request bodies.", "Log the request bodies."),
        ("Keep telemetry disabled.", "Keep telemetry enabled."),
        ("Deploy with old.sh.", "Never deploy with old.sh; deploy with ship.sh."),
        ("Merge unless the build is green.", "Merge if the build is green."),
        ("Deploye nie mit ./ship.sh.", "Deploye mit ./ship.sh."),
        ("Никогда не деплой в пятницу.", "Деплой в пятницу."),
        ("Ne déploie jamais le vendredi.", "Déploie le vendredi."),
        ("Non usare mai npm qui.", "Usare npm qui."),
        ("No desplegar nunca los viernes.", "Desplegar los viernes."),
        ("Déploie sans les tests unitaires.", "Ne déploie jamais sans les tests unitaires."),
        ("Add comments to the code.", "Remove comments from the code."),
        ("Ask at least two reviewers.", "Ask at most two reviewers."),
        ("The gate fails open.", "The gate fails closed."),
        ("Deny unknown hosts.", "Allow unknown hosts."),
        ("Do not lower the timeout of the client.", "Lower the timeout of the client."),
    ],
)
def test_a_text_that_turns_its_source_round_is_found(text: str, source: str) -> None:
    assert find_alteration(text, source) == NEGATED


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Retry 10 times.", "Retry 5 times."),
        ("Retry 10 times, wait 5 seconds.", "Retry 5 times, wait 10 seconds."),
        ("Retry 3 times.", "Retry five times."),
        ("Use two workers for each queue.", "Use 4 workers for each queue."),
        ("The pool has 20 connections at most.", "At most 2 connections in the pool."),
    ],
)
def test_another_number_for_the_same_thing_is_found(text: str, source: str) -> None:
    assert find_alteration(text, source) == RENUMBERED


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Never push to main: releases are made from stable only.", "Never push to main, we release from stable only."),
        ("Use pnpm instead of npm.", "use pnpm, not npm"),
        ("The user wants pnpm and never npm.", "Don't use npm, use pnpm."),
        ("Always run the tests before deploying.", "Never deploy without running the tests."),
        ("Always run the tests.", "Don't forget to run the tests."),
        ("Не деплой в пятницу.", "Никогда не деплой в пятницу."),
        ("Ne déploie pas le vendredi.", "Ne déploie jamais le vendredi."),
        ("Non usare npm qui.", "Non usare mai npm qui."),
        ("No desplegar los viernes.", "No desplegar nunca los viernes."),
        ("Secrets must not be logged.", "Never log secrets."),
        ("The export failed.", "The export failed because the certificate did not load."),
        ("If the tests fail, don't merge.", "Don't merge if the tests fail."),
        ("mod_x breaks the build, so it is not used.", "Don't use mod_x because it breaks the build."),
        ("Never push to main. Never force-push.", "Never push to main and never force-push."),
        ("Deploy with ship.sh.", "No, deploy with ship.sh."),
        ("Deploy with ship.sh.", "Don't just deploy with ship.sh, announce it."),
        ("Releases go out on Mondays, never on Fridays.", "we release on mondays not fridays"),
        ("Restart the worker after a config change.", "config changes are not picked up until the worker is restarted"),
        ("The user prefers short answers.", "your answers are too long, keep it short"),
        ("Never push to main.", "Why did you push to main?"),
        ("Never push to main.", "You pushed to main again!"),
        ("Something else entirely is true.", "Never deploy with ./ship.sh."),
        ("The limit is now 10.", "We moved the limit from 5 to 10."),
        ("Retry 3 times.", "Retry three times."),
        ("Use one of the 3 servers.", "Use server 3."),
        ("Retry at most.", "Retry 5 times at most."),
        ("Lower the timeout of the client.", "Do not raise the timeout of the client."),
        ("Remove the flag from the old loader.", "Add the flag to the new loader and remove it from the old loader."),
        ("Deny the upload of scripts.", "Allow images, deny scripts."),
        ("", ""),
    ],
)
def test_a_text_that_says_the_same_in_other_words_is_not(text: str, source: str) -> None:
    assert find_alteration(text, source) is None


@pytest.mark.parametrize(
    ("text", "source"),
    [
        (
            "Never set HOST=localhost in .env.production: the container then listens on loopback alone.",
            "HOST was set to localhost in .env.production, so the container listened on loopback alone.",
        ),
        (
            "Do not run CREATE INDEX CONCURRENTLY inside a transaction: the migration deadlocks.",
            "The migration deadlocked since it ran inside a transaction with CREATE INDEX CONCURRENTLY.",
        ),
        ("Don't cache node_modules, it breaks the build.", "The build broke because node_modules was cached."),
    ],
)
def test_the_cause_of_a_failure_can_be_forbidden(text: str, source: str) -> None:
    assert find_alteration(text, source) is None


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Cache node_modules.", "The build broke because node_modules was cached."),
        ("Errors go to stdout and results to stderr.", "Errors go to stderr and results to stdout."),
        ("Lint the code after you commit it.", "Lint the code before you commit it."),
        ("Prefer inheritance over composition.", "I prefer composition over inheritance."),
    ],
)
def test_a_cause_an_assignment_and_an_order_can_be_turned_round(text: str, source: str) -> None:
    assert find_alteration(text, source) == NEGATED


@pytest.mark.parametrize(("pairs", "passed", "missed"), [(PAIRS, 0.95, 0.07), (KEPT_BACK, 0.9, 0.4)])
def test_most_faithful_proposals_pass_and_most_reversals_are_refused(
    pairs: list[tuple[str, str, str]], passed: float, missed: float
) -> None:
    assert sum(find_alteration(faithful, source) is None for source, faithful, _ in pairs) >= passed * len(pairs)
    assert sum(find_alteration(wrong, source) is None for source, _, wrong in pairs) <= missed * len(pairs)


def test_the_first_source_that_speaks_of_it_decides() -> None:
    text, denied = "Deploy with ./ship.sh.", "Never deploy with ./ship.sh."
    assert find_alteration(text, "An unrelated remark.", denied) == NEGATED
    assert find_alteration(text, "Deploy with ./ship.sh.", denied) is None
    assert find_alteration(text, denied, "Deploy with ./ship.sh.") == NEGATED


@pytest.mark.parametrize("unit", ["a", " not", "a ", "- never a\n"])
def test_the_cost_grows_with_the_length_of_the_text(unit: str) -> None:
    small, large = unit * (7_000 // len(unit)), unit * (28_000 // len(unit))
    distinct = count()  # what was read is cached
    assert_growth(lambda text: find_alteration(f"{text} {next(distinct)}", "Never deploy."), small, large, below=8)
