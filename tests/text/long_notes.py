"""Twenty notes as people and agents write them: what has to survive in each, and what must never stand there alone.

`keeps` must be in the hint, `tells` in the abstract; `together` are pairs of which the first must not be kept without
the second, because alone it would say something else.
"""

from __future__ import annotations

from dataclasses import dataclass

FILLER = (
    "There was also some general talk about how the work is going and what people had for lunch, none of which "
    "is of any consequence to what was said above. "
)


@dataclass(frozen=True)
class Note:
    name: str
    text: str
    keeps: tuple[str, ...]
    tells: tuple[str, ...]
    together: tuple[tuple[str, str], ...] = ()


NOTES = (
    Note(
        "a build that fails",
        "Today we looked at the build. It turns out that the CI fails on macOS because `setuptools` 69 dropped "
        "`pkg_resources`. We pinned it to 68.2 in pyproject.toml. But the pin must not go into the published "
        "package.\n\n" + FILLER,
        ("setuptools", "68.2", "must not go into the published package"),
        ("because `setuptools` 69",),
        (("We pinned it to 68.2", "must not go"),),
    ),
    Note(
        "a list of prohibitions",
        "How to treat the staging database.\n\nNever do these during the day:\n- run `VACUUM FULL`\n"
        "- restart pgbouncer\n\n" + FILLER + FILLER,
        ("Never do these during the day", "VACUUM FULL", "restart pgbouncer"),
        (),
        (("restart pgbouncer", "Never"), ("VACUUM FULL", "Never")),
    ),
    Note(
        "a decision with its reason",
        "We talked for an hour about queues. We decided to use PostgreSQL `LISTEN/NOTIFY` instead of Redis because the "
        "team already runs PostgreSQL and 200 messages a second are enough. Redis was rejected.\n\n" + FILLER * 2,
        ("instead of Redis", "because the team already runs PostgreSQL", "200 messages"),
        ("instead of Redis", "because"),
    ),
    Note(
        "a condition behind",
        "The cache may be cleared at any time. Unless a migration is running: then it must stay until "
        "`migrate --status` "
        "says done. The command is `make clear-cache`.\n\n" + FILLER * 2,
        ("Unless a migration is running", "make clear-cache"),
        (),
        (("The cache may be cleared at any time", "Unless a migration is running"),),
    ),
    Note(
        "a summary that was written",
        "## Summary\n\nThe exporter leaks file handles. Each run leaves 3 of them open.\n\n## Content\n\n"
        + FILLER
        + "\n\nThe cause is `open()` without `with` in export/writer.py line 88. Fixed by a context manager.\n\n"
        + FILLER,
        ("## Summary\n\nThe exporter leaks file handles. Each run leaves 3 of them open.", "export/writer.py"),
        ("leaks file handles",),
    ),
    Note(
        "a long summary stays to the letter",
        "## Summary\n\n"
        + "The billing run has 14 steps and step 9 is the slow one. " * 9
        + "\n\n## Content\n\n"
        + FILLER * 3,
        (("The billing run has 14 steps and step 9 is the slow one. " * 9).strip(),),
        ("14 steps",),
    ),
    Note(
        "alternatives that were not taken",
        "Storage for thumbnails: we keep them in S3 with a lifecycle of 90 days.\n\n## Rejected\n\n"
        "- keep them in the database\n- generate them on each request\n\n" + FILLER * 2,
        ("S3", "90 days"),
        ("S3",),
        (("keep them in the database", "Rejected"), ("generate them on each request", "Rejected")),
    ),
    Note(
        "numbers of a measurement",
        "I ran the load test again. With 8 workers p95 was 340 ms, with 16 workers 210 ms, with 32 workers 480 ms. "
        "So 16 "
        "is the setting to keep in `gunicorn.conf.py`. It was a rainy afternoon and the office was quiet.\n\n" + FILLER,
        ("340 ms", "210 ms", "480 ms", "gunicorn.conf.py"),
        ("16 workers 210 ms",),
    ),
    Note(
        "a doubt stays a doubt",
        "I think the race is in `SessionPool.release`. It is not proven: the log of 12 March shows two releases "
        "of session "
        "0x3f within 4 ms. Nobody has reproduced it yet.\n\n" + FILLER * 2,
        ("I think the race is in `SessionPool.release`", "It is not proven"),
        ("I think",),
        (("the race is in", "It is not proven"),),
    ),
    Note(
        "old against new",
        "The API key lives in Vault.\n\nPreviously:\n- it was in `.env`\n- it was rotated by hand\n\n" + FILLER * 2,
        ("Vault",),
        ("Vault",),
        (("it was in `.env`", "Previously"),),
    ),
    Note(
        "steps in their order",
        "Releasing takes four steps.\n\n1. bump the version in pyproject.toml\n2. run `make check`\n"
        "3. tag with `v` in front\n"
        "4. push the tag, never the branch\n\n" + FILLER * 2,
        ("pyproject.toml", "make check", "push the tag, never the branch"),
        (),
    ),
    Note(
        "code between the lines",
        "The retry decorator swallows `KeyboardInterrupt` because it catches `BaseException`.\n\n```python\n"
        + "try:\n    call()\nexcept BaseException:\n    pass\n" * 6
        + "```\n\nUse `Exception` there. "
        + FILLER,
        ("KeyboardInterrupt", "BaseException", "Use `Exception`"),
        ("because it catches `BaseException`",),
    ),
    Note(
        "a preference of the user",
        "The user prefers short answers without headings. He said: never apologise, and do not repeat the question. "
        "Except in reports for the board, where full sentences are wanted.\n\n" + FILLER * 2,
        ("prefers short answers", "Except in reports for the board"),
        ("prefers short answers",),
        (("do not repeat the question", "Except in reports"),),
    ),
    Note(
        "dots that end nothing",
        "Python 3.11.7 breaks uvloop 0.17.0 on arm64, e.g. on the M2 runners. Pin uvloop==0.19.0 in "
        "requirements/run.txt. "
        "See docs/runners.md for the list.\n\n" + FILLER * 2,
        ("Python 3.11.7 breaks uvloop 0.17.0 on arm64, e.g. on the M2 runners.", "uvloop==0.19.0"),
        ("uvloop",),
    ),
    Note(
        "one endless sentence",
        "the importer reads the file and "
        + "then it looks at the next row and compares it with the one before and " * 20
        + "ends",
        ("the importer reads the file",),
        ("the importer reads the file",),
    ),
    Note(
        "another script",
        "缓存层必须在写入数据库之后失效。否则读者会看到旧值。" * 12 + "默认超时为三十秒。" * 8,
        ("缓存层必须在写入数据库之后失效",),
        ("缓存层必须在写入数据库之后失效",),
        (("之后失效", "否则"),),
    ),
    Note(
        "only under a condition",
        "Feature flags are read at start. Only if `FLAGS_LIVE=1` are they read again every 30 s. The file is "
        "`config/flags.yaml` and belongs to ops.\n\n" + FILLER * 2,
        ("Only if `FLAGS_LIVE=1`", "config/flags.yaml"),
        (),
        (("Feature flags are read at start", "Only if"),),
    ),
    Note(
        "an error and its fix",
        "Spent the morning on this. `pytest -n 4` hangs on Windows: the xdist workers wait for a named pipe that the "
        "antivirus holds. The fix is `--dist loadfile`, or 2 workers. It does not happen on Linux.\n\n" + FILLER,
        ("named pipe", "--dist loadfile", "does not happen on Linux"),
        ("pytest -n 4",),
    ),
    Note(
        "a table",
        "Limits of the plans, as agreed with sales on 2026-02-03.\n\n| plan | seats |\n|---|---|\n"
        + "| some plan with a long name | 10 |\n" * 12
        + "\nThe trial has no API access.\n",
        ("2026-02-03", "The trial has no API access"),
        ("2026-02-03",),
    ),
    Note(
        "nothing but talk",
        "Let me think about this for a moment. " + "We will see how it goes and talk about it later on. " * 12,
        (),
        (),
    ),
)
